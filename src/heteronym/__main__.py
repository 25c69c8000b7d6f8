"""The command `heteronym`, and `python -m heteronym`."""

from heteronym.cli import main

if __name__ == "__main__":
    main()
