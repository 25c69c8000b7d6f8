"""What a release is still good for: its cells as a reader takes them, beside the originals."""
