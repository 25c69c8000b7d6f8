"""Results that say themselves in words: what a command prints is what a notebook shows."""

from __future__ import annotations

from html import escape


class InWords:
    """A result with `text`. What is not verbose never shows a value of a person: notebooks are handed on."""

    def in_words(self, *, verbose: bool = False) -> str:
        raise NotImplementedError

    @property
    def text(self) -> str:
        """For a terminal."""
        return self.in_words()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.in_words())}</pre>"
