"""heteronym models"""

from heteronym.cli import _options as given
from heteronym.cli._console import Answer


@given.as_command
def command() -> Answer:
    """List the language models that are installed, with version, size, licence and scores.

    Example: [bold]heteronym models[/], then name one in the plan: [bold]text: {model: fast}[/]
    """
    from heteronym.text.installed import models

    found = models()
    return Answer(found.to_dict(), found.text, asked=True)
