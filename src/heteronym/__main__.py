"""The command `heteronym`, and `python -m heteronym`."""

import gc
import os
import sys


def main() -> None:
    """Run the command and end at once.

    Modules make many objects and next to no garbage, so it is looked for seldom. No step gains by threads for
    matrix products, and to start them costs a tenth of a second. At the end there is nothing to tidy that the
    operating system would not: freeing a million objects one by one takes a while.
    """
    gc.set_threshold(100_000, 50, 100)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from heteronym.cli import main as run

    try:
        run()
        code: object = 0
    except SystemExit as end:
        code = end.code
    if (code is None or isinstance(code, int)) and _finished():
        os._exit(code or 0)
    sys.exit(code)  # type: ignore[arg-type]


def _finished() -> bool:
    """What Python does at its end, but for taking objects down; False where a reader has gone away."""
    import atexit
    import threading

    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
