"""heteronym doctor"""

from typing import Any

from heteronym.cli import _options as given
from heteronym.cli._console import Answer


@given.as_command
def command(run: Any, verbose: given.Verbose = False) -> Answer:
    """Say what is installed, what is missing, and whether a small release verifies.

    Exit 0: all is well; 1: the small release does not verify; 2: a required package is missing or too old.

    Example: [bold]heteronym doctor[/]
    """
    from heteronym.api.doctor import doctor

    found = doctor(run=run)
    return Answer(found.to_dict(), found.in_words(verbose=verbose), asked=True, exit_code=found.exit_code)
