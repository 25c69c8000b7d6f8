"""`python -m heteronym`, the same as `heteronym`."""

from heteronym.cli import main

if __name__ == "__main__":
    main()
