"""The bundled example `clinic`: invented patients with columns, item sets, a sensitive column and notes.

    python -m benchmarks.generators clinic --size 300 --seed 7 -o src/heteronym/examples/clinic/visits.csv

Everything is drawn at random; no row is about anybody.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

import polars as pl

FIRST = "Anna Ben Clara David Emma Felix Greta Hugo Ida Jonas Karla Leo Mia Nils Olga Paul".split()
LAST = "Adler Berger Conrad Decker Ehlers Fuchs Graf Hahn Jung Keller Lorenz Maurer Neumann Roth".split()
TOWNS = {"Rome": "001", "Oslo": "015", "Lyon": "690", "Ghent": "900", "Graz": "801"}
JOBS = ("teacher", "nurse", "farmer", "engineer", "cook", "driver")
CODES = {"E11": "diabetes", "I10": "hypertension", "J45": "asthma", "M54": "back pain", "G43": "migraine"}
THERAPIES = ("medication", "physiotherapy", "surgery", "observation")
NOTES = (
    "{name}, {age} years old, {job} from {town}, came with {complaint}.",
    "Seen again for {complaint}; works as a {job}. Results go to {mail}.",
    "The patient, a {job}, reports {complaint} since {month}. Sister {sister} called from {town}.",
    "No complaints today. Lives in {town}; next visit in six weeks.",
)


def clinic(persons: int, seed: int) -> pl.DataFrame:
    """Visits of so many patients, one to three each."""
    rng = random.Random(seed)
    rows = []
    for number in range(persons):
        name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        town = rng.choices(list(TOWNS), weights=[5, 4, 3, 2, 1])[0]
        age = min(max(round(rng.gauss(48, 17)), 18), 93)
        codes = sorted(rng.sample(list(CODES), rng.choices([1, 2, 3], weights=[6, 3, 1])[0]))
        first = date(2024, 1, 8) + timedelta(days=rng.randrange(480))
        job, sex = rng.choice(JOBS), rng.choice("fm")
        for visit in range(rng.choices([1, 2, 3], weights=[5, 3, 1])[0]):
            day = first + timedelta(days=42 * visit)
            note = rng.choice(NOTES).format(
                name=name,
                age=age,
                job=job,
                town=town,
                complaint=CODES[rng.choice(codes)],
                mail=f"{name.lower().replace(' ', '.')}@mail.example",
                month=day.strftime("%B"),
                sister=rng.choice(FIRST),
            )
            rows.append(
                {
                    "patient": f"P{number + 1:04}",
                    "sex": sex,
                    "age": age,
                    "zip": f"{TOWNS[town]}{number % 3}{number % 2}",
                    "admitted": day.isoformat(),
                    "codes": " ".join(codes),
                    "therapy": rng.choices(THERAPIES, weights=[5, 3, 1, 2])[0],
                    "note": note,
                }
            )
    return pl.DataFrame(rows)
