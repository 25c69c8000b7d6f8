"""Commands as users run them: what Python compiled of the source is kept from run to run."""

import os

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
