"""The English models that the package ships, and the small code that runs them. CARD.md tells what they can
do."""
