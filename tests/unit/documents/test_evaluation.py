"""What sanitizing costs and hides: information kept, owners found, pairs that tell more than their terms."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.studies.document_privacy import found_owners, information_of, owner_of, preserved, read_owners
from tests.naive import kept_information
from tests.naive import pairs as naive

from heteronym.documents._pairs import holders_of, information_together, telling_pairs, terms_to_hide
from heteronym.errors import UsageError
from heteronym.model.edit import Edit


def test_pairs_are_those_of_the_definition() -> None:
    rng = random.Random(1)
    for _ in range(120):
        words = "abcdefgh"
        references = [
            {w for w in words if rng.random() < rng.choice((0.3, 0.8))} for _ in range(rng.randint(2, 16))
        ]
        units = [set(rng.sample(words + "xyz", rng.randint(0, 6))) for _ in range(4)]
        beta = rng.choice((0.0, 0.5, 1.0, math.log2(len(references))))
        beta = min(beta, math.log2(len(references)))
        found = telling_pairs(units, holders_of(references), documents=len(references), beta=beta)
        assert found == naive.telling_pairs(units, references, beta)


def test_after_hiding_no_pair_of_kept_terms_tells_more_than_beta() -> None:
    rng = random.Random(2)
    for _ in range(60):
        references = [{w for w in "abcdef" if rng.random() < 0.6} for _ in range(16)]
        holders = holders_of(references)
        units = [set(rng.sample("abcdef", 4)) for _ in range(5)]
        hidden = terms_to_hide(telling_pairs(units, holders, documents=16, beta=1.5), holders)
        kept = [unit - hidden for unit in units]
        assert telling_pairs(kept, holders, documents=16, beta=1.5) == set()


def test_the_example_of_the_documentation() -> None:
    references = (
        [{"engineer", "barcelona"}] * 3 + [{"reus", "barcelona"}] * 3 + [{"engineer", "reus"}, {"barcelona"}]
    )
    holders = holders_of(references)
    assert information_together(["engineer"], holders, documents=8) == 1.0
    assert information_together(["engineer", "reus"], holders, documents=8) == 3.0
    found = telling_pairs([{"engineer", "reus", "barcelona"}], holders, documents=8, beta=1.5)
    assert found == {("engineer", "reus")}
    assert len(terms_to_hide(found, holders)) == 1


@pytest.mark.parametrize(("documents", "beta"), [(0, 0.0), (8, 3.1), (8, -1.0)])
def test_a_beta_that_the_documents_cannot_vouch_for_is_refused(documents: int, beta: float) -> None:
    with pytest.raises(UsageError, match="can vouch"):
        telling_pairs([{"a", "b"}], {}, documents=documents, beta=beta)


def test_rare_words_tell_more_and_phrases_at_least_what_each_word_tells() -> None:
    information = information_of(Counter({"the": 900, "city": 90, "reus": 1}))
    assert information("the") < information("city") < information("Reus") < information("unseen")
    assert information("the city of Reus") >= information("Reus")
    assert information("") == 0.0


def test_kept_replaced_and_masked_phrases_count_fully_by_similarity_and_not_at_all() -> None:
    text = "an engineer of Reus met Ann"
    places = [(3, 11), (15, 19), (24, 27)]
    edits = [Edit(3, 11, "worker"), Edit(24, 27, "[PERSON 1]")]
    told = preserved(
        text, places, edits, information=lambda _: 1.0, similarity=lambda old, new: 0.5 if new else 0.0
    )
    assert told == (3.0, 1.0, 1.5)


def test_information_kept_by_hand() -> None:
    """Counts 3, 1, 4: 8 + 3 + 1 = 12, so dog tells log2 3, cat log2 6, an unseen word log2 12."""
    information = information_of(Counter({"dog": 3, "cat": 1, "fish": 4}))
    assert information("dog") == pytest.approx(math.log2(3))
    assert information("cat dog") == pytest.approx(math.log2(6) + math.log2(3) / 2)
    text = "the dog saw a cat and an emu"
    places = [(4, 7), (14, 17), (25, 28)]
    edits = [Edit(14, 17, "pet"), Edit(25, 28, "[ANIMAL]")]
    told = preserved(
        text, places, edits, information=information, similarity=lambda old, new: 0.25 if new else 0.0
    )
    whole = math.log2(3) + math.log2(6) + math.log2(12)
    assert told[0] == pytest.approx(whole)
    assert told[1] / told[0] == pytest.approx(math.log2(3) / whole)  # TPI: 0.2044
    assert told[1] / told[0] == pytest.approx(0.2044, abs=5e-5)
    assert told[2] / told[0] == pytest.approx((math.log2(3) + math.log2(6) / 4) / whole)  # TPS: 0.2877
    assert told[2] / told[0] == pytest.approx(0.2877, abs=5e-5)


def test_information_kept_is_that_of_the_definition() -> None:
    rng = random.Random(6)
    for _ in range(150):
        words = [rng.choice(("dog", "cat", "emu", "fish", "red")) for _ in range(14)]
        text, places, at = " ".join(words), [], 0
        starts = [sum(len(word) + 1 for word in words[:n]) for n in range(len(words))]
        while at < len(words):
            many = rng.randint(1, 3)
            last = min(at + many, len(words)) - 1
            if rng.random() < 0.7:
                places.append((starts[at], starts[last] + len(words[last])))
            at = last + 1
        changed = sorted(rng.sample(range(len(words)), rng.randint(0, 5)))
        new = {n: rng.choice(("pet", "big pet")) for n in changed}
        edits = [Edit(starts[n], starts[n] + len(words[n]), new[n]) for n in changed]
        counts = Counter({"dog": 5, "cat": 2, "fish": 1})

        def similarity(old: str, new: str) -> float:
            return len(set(old) & set(new)) / max(len(set(old) | set(new)), 1)

        told = preserved(text, places, edits, information=information_of(counts), similarity=similarity)
        if places:
            wanted = kept_information.kept(text, places, edits, counts, similarity)
            assert (told[1] / told[0], told[2] / told[0]) == pytest.approx(wanted)


def test_owners_found_by_hand() -> None:
    """Four owners with words of their own; two of them are released with each other's: half are found."""
    own = [" ".join(f"w{owner}x{n}" for n in range(20)) for owner in range(4)]
    assert found_owners([[text] for text in own], [[text] for text in own]) == 1.0
    assert found_owners([[text] for text in own], [[own[0]], [own[1]], [own[3]], [own[2]]]) == 0.5
    assert found_owners([[text] for text in own], [[own[n]] for n in (1, 2, 3, 0)]) == 0.0
    # an owner's texts are weighed together: two of three are of the owner
    assert found_owners([[text] for text in own], [[own[0], own[0], own[1]], *([t] for t in own[1:])]) == 1.0


def test_the_attacker_finds_owners_by_what_only_they_say() -> None:
    rng = random.Random(4)
    common = [f"word{n}" for n in range(200)]
    own = [[f"own{owner}x{n}" for n in range(6)] for owner in range(8)]

    def text(words: list[str]) -> str:
        return " ".join(rng.choice(words if rng.random() < 0.2 else common) for _ in range(300))

    training = [[text(words)] for words in own]
    assert found_owners(training, [[text(words)] for words in own]) == 1.0
    assert found_owners(training, [[text(common)] for _ in own]) <= 0.5
    assert found_owners(training[:2], [[text(words)] for words in own[:2]]) == 1.0
    assert found_owners(training[:1], [["anything"]]) == 1.0


def test_an_owner_is_a_folder_or_half_a_document(tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    for n in range(3):
        (tmp_path / "ann" / f"{n}.txt").write_text(f"text {n}", "utf-8")
    (tmp_path / "bo.txt").write_text("one two three four", "utf-8")
    ann, bo = read_owners(tmp_path)
    assert (ann.known, ann.released) == (("text 0", "text 1"), ("text 2",))
    assert (bo.known, bo.released) == (("one two three",), (" four",))
    assert owner_of("x", [""]).released == ("",)


def test_the_command_prints_a_row_per_method(tmp_path: Path) -> None:
    for name, word in (("ann", "alpine skiing"), ("bo", "marine biology")):
        (tmp_path / name).mkdir()
        for n in range(2):
            text = f"Mrs Whitfield wrote about {word} on 3 March 195{n}. She liked {word} more than anything."
            (tmp_path / name / f"{n}.txt").write_text(text, "utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "benchmarks.studies.document_privacy",
            str(tmp_path),
            "--model",
            "none",
            "--beta",
            "0.5",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.returncode == 0, done.stderr
    assert [line.split("|")[1].strip() for line in done.stdout.splitlines()[-3:]] == [
        "none",
        "redact",
        "pseudonyms",
    ]
