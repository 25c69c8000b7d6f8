"""Makes examples/two-tools/visits.csv: the bundled clinic as two plain tools release it, each alone.

Run in an environment of its own: pip install anjana presidio-analyzer presidio-anonymizer
and python benchmarks/two_tools.py
"""

from pathlib import Path

import anjana.anonymity as anonymity
import pandas as pd
import spacy
from presidio_analyzer import AnalyzerEngine, Pattern, PatternRecognizer
from presidio_analyzer.nlp_engine import SpacyNlpEngine
from presidio_anonymizer import AnonymizerEngine

EXAMPLES = Path(__file__).resolve().parent.parent / "src" / "heteronym" / "examples"
K, MOST_LEFT_OUT = 5, 20  # per cent


class WithoutModel(SpacyNlpEngine):
    """Words and sentences alone: Presidio then masks by its patterns, not by a statistical model."""

    def __init__(self):
        super().__init__()
        self.nlp = {"en": spacy.blank("en")}


def levels(values, *steps):
    """A hierarchy as anjana takes it: the values, then the same after each step."""
    return {n: [step(value) for value in values] for n, step in enumerate((lambda value: value, *steps))}


def years(width):
    return lambda age: f"[{age // width * width}, {age // width * width + width}["


def main():
    visits = pd.read_csv(EXAMPLES / "clinic" / "visits.csv", dtype={"zip": str})
    quasi = ["sex", "age", "zip", "admitted"]
    hierarchies = {
        "sex": levels(visits["sex"].values, lambda _: "*"),
        "age": levels(visits["age"].values, years(5), years(10), years(20), lambda _: "*"),
        "zip": levels(visits["zip"].values, lambda z: z[:3] + "**", lambda z: z[:1] + "****", lambda _: "*"),
        "admitted": levels(visits["admitted"].values, lambda d: d[:7], lambda d: d[:4], lambda _: "*"),
    }
    visits["row"] = range(len(visits))
    table = anonymity.k_anonymity(visits, ["patient"], quasi, K, MOST_LEFT_OUT, hierarchies)
    table = table.sort_values("row")[["sex", "age", "zip", "admitted", "codes", "therapy", "note"]]
    engine = AnalyzerEngine(nlp_engine=WithoutModel(), supported_languages=["en"])
    names = (EXAMPLES / "clinic" / "names.txt").read_text("utf-8").split("\n")
    engine.registry.add_recognizer(
        PatternRecognizer("PERSON", name="names", deny_list=[name for name in names if name])
    )
    # Presidio checks the ending of an address, and that of the invented ones is nobody's
    mail = Pattern("mail", r"\b[\w.]+@[\w.]+\w", 0.9)
    engine.registry.add_recognizer(PatternRecognizer("EMAIL_ADDRESS", name="mails", patterns=[mail]))
    for name in ("UrlRecognizer", "EmailRecognizer"):
        engine.registry.remove_recognizer(name)
    mask = AnonymizerEngine()
    table["note"] = [
        mask.anonymize(text=note, analyzer_results=engine.analyze(text=note, language="en")).text
        for note in table["note"]
    ]
    table.to_csv(EXAMPLES / "two-tools" / "visits.csv", index=False)


if __name__ == "__main__":
    main()
