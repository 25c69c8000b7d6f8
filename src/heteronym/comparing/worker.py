"""One worker of a comparison: takes a view and then settings from standard input, answers with facts."""

from __future__ import annotations

import os
import pickle
import signal
import sys

from heteronym.comparing.runs import run_one


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends its workers
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not stand between two answers
    try:
        view = pickle.load(sys.stdin.buffer)
        while True:
            facts = run_one(view, pickle.load(sys.stdin.buffer))
            pickle.dump(facts, answers)
            answers.flush()
    except (EOFError, BrokenPipeError):
        return  # the parent is done, or gone


if __name__ == "__main__":
    main()
