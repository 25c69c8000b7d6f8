"""What a text says of whom: referents, coreference, assertions, classes and reduction (paper 004)."""
