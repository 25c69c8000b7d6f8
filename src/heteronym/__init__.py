"""heteronym anonymizes columns, item sets and free text together, with one verified guarantee."""

__version__ = "0.1.0"
