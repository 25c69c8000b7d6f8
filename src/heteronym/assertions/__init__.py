"""What a text says of whom: referents, coreference, assertions, their classes and their reduction (paper 004)."""
