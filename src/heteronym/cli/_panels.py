"""Options by the panel of the help page on which they stand."""

from functools import partial

import typer

input_option, method_option, output_option, privacy_option = (
    partial(typer.Option, rich_help_panel=panel) for panel in ("Input", "Method", "Output", "Privacy")
)
