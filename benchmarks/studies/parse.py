"""How well the fast model parses: attachment (UAS), sentence boundaries, on the UD test files.

python -m benchmarks.studies.parse [--limit N]

UAS on gold sentences and, where the tokenizers agree, on tokens; boundaries on paragraphs as they stand in the text, by the
parser alone and with the rules of assertions/sentences.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.shared_data import shared
from heteronym.assertions.sentences import sentences_of
from heteronym.text.recognizers.fast import fast_pipeline

Sentence = tuple[str, list[tuple[int, int]], list[int]]  # text, tokens as spans, heads (-1 root)
