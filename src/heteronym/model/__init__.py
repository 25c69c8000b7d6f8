"""The words we speak: frozen data, no algorithm, no file access."""
