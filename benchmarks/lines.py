"""How many lines has the house, beside those it had before its inside was redesigned?

    python -m benchmarks.lines [--list] [--origin] [--write PAGE]

Counts Python lines of src/heteronym outside of text/recognizers, at the commit BEFORE and in the working
tree. A file of today is *old* if it was there before. It *took over* if at least a quarter of its telling
lines (15 characters and more, no imports) stood in old files that have them no more, or if it is in
REWRITTEN: new words for what an old file did. All others are new, for new abilities; they are listed by
ability, with `--list` one by one. What was taken over is counted twice over: taking files whole, and by their
definitions (functions and classes), in every file that is not old. `--origin` asks git which lines stood
when the redesign ended (commit REDESIGNED), wherever they stand now; all others were written since.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.figures import show

BEFORE, REDESIGNED = "8c4c403", "c89374e"
ROOT = Path("src/heteronym")
QUARTER = 0.25
REWRITTEN = {  # by hand: hardly a line is the same, and the task is
    "recode/apply.py": "text/rewrite.py, text/labels.py and half of the recoders",
    "model/recoding.py": "the labels of recode/",
    "model/edit.py": "text/rewrite.py",
    "reading/read_person.py": "pipeline.py, text/join.py, text/scan.py",
    "text/parse.py": "text/scan.py",
    "partition/_shapes.py": "both packings of shapes",
    "sanitizing.py": "scanning.py",
    "io/persons.py": "encode.py",
    "text/models/pipelines.py": "recognizers of models; a quarter until it was shortened",
    "verify/left_in_texts.py": "verify/audit.py, a third until it was shortened",
    "verify/unlinked.py": "verify/audit.py, a third until it was shortened",
}
ABILITIES = {  # the first that fits counts
    "runs that tell, stop, estimate, are read back": "run.py estimating.py io/recodings.py io/typed.py "
    "recode/remember.py statistics/ model/followed.py workers.py",
    "persons left out, cells withheld": "partition/_leave_out.py partition/_withhold measures/withheld.py "
    "recode/beside_withheld.py verify/withheld.py",
    "surrogates, vaults, restoring": "surrogates/ recode/rename.py verify/surrogates.py io/sealed.py "
    "keeping.py restoring.py cli/restore.py documents/pseudonyms.py",
    "who texts are about": "assertions/ analyzers/ analyzing.py io/assertions.py model/assertion.py "
    "report/assertions.py cli/analyze.py documents/assertions.py",
    "document methods and formats": "documents/ io/formats/ model/document.py report/side_by_side.py",
    "attackers": "attacks/ attacking.py model/attack.py cli/attack.py",
    "comparing settings": "comparing/ cli/compare.py report/comparison.py",
    "utility": "utility/ weighing.py cli/utility.py report/utility.py",
    "explaining rows and mentions": "explaining.py cli/explain.py report/marked.py",
    "registry of releases": "registering.py io/past_releases.py",
    "risk, before and after": "risk/ measures/risk.py verify/risk.py profiling/risk.py",
    "hierarchies built and checked": "hierarchies/ generalizing.py cli/hierarchy.py io/hierarchy_flaws.py "
    "io/outlines.py verify/trees.py",
    "HIPAA": "knowledge/hipaa.py privacy/hipaa.py privacy/_hipaa_audit.py recode/term_hipaa.py "
    "recode/zip3.py recode/year.py io/presets.py",
    "populations and households": "privacy/k_map.py privacy/delta_presence.py privacy/_population.py "
    "verify/population.py privacy/k_households.py io/households.py",
    "one joint guarantee, events": "privacy/joint.py privacy/_joint privacy/_settle.py "
    "privacy/_group_choice.py privacy/_refine privacy/_tallies.py privacy/_follow.py privacy/_showing.py "
    "partition/joint.py partition/_joint_kernels.py partition/_holders.py partition/_deal.py model/offers.py "
    "model/elements.py model/sentences.py reading/sentences.py reading/told.py reading/twins.py "
    "verify/twins.py verify/told.py recode/event_labels.py recode/_settled_texts.py recode/_pool_kernels.py "
    "measures/events.py",
    "models over sensitive values": "privacy/ measures/certain.py measures/drift.py verify/certain.py "
    "verify/sensitive.py partition/_rule_kernels.py",
    "terms that generalize, knowledge": "knowledge/ io/taxonomies.py model/concept.py "
    "recode/term_generalize.py recode/_wording.py measures/_information.py measures/terms.py",
    "further labels and numbers of columns": "recode/ verify/numbers.py",
    "searches that lose less": "partition/ itemsets/",
    "what recognizers say, settled": "text/heeded.py text/stretches.py",
    "own values found in texts, and mended": "text/ reading/ mending.py",
    "the auditor's own readers and reading": "verify/",
    "drafts that can be trusted": "profiling/",
    "report and facts": "report/ describing.py owning.py model/in_words.py",
    "compilation": "compiled.py compiling.py",
    "tables, plans and owner's files in every form": "io/ cli/",
}
Files = dict[str, list[str]]


def counted(path: str) -> bool:
    return path.endswith(".py") and "text/recognizers/" not in path


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def before() -> Files:
    names = [n for n in git("ls-tree", "-r", "--name-only", BEFORE, str(ROOT)).splitlines() if counted(n)]
    return {name: git("show", f"{BEFORE}:{name}").splitlines() for name in names}


def today() -> Files:
    paths = [path for path in sorted(ROOT.rglob("*.py")) if counted(path.as_posix())]
    return {path.as_posix(): path.read_text("utf-8").splitlines() for path in paths}


def telling(lines: Iterable[str]) -> Counter[str]:
    stripped = (line.strip() for line in lines)
    return Counter(
        s for s in stripped if len(s) >= 15 and not s.startswith(("from ", "import ", "@dataclass"))
    )


def gone(old: Files, new: Files) -> Counter[str]:
    """Telling lines that old files have no more."""
    found: Counter[str] = Counter()
    for name, lines in old.items():
        found += telling(lines) - telling(new.get(name, []))
    return found


def share(lines: Iterable[str], lost: Counter[str]) -> float:
    mine = telling(lines)
    return (mine & lost).total() / max(mine.total(), 1)


def definitions(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each function and class of a module, decorators included."""
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield lines[first - 1 : node.end_lineno]


def taken_lines(lines: list[str], lost: Counter[str]) -> int:
    """Of definitions that came over to at least a quarter; two lines may be alike by chance."""
    found = [one for one in definitions(lines) if share(one, lost) >= QUARTER and len(one) > 3]
    return sum(map(len, found))


def size(files: Files, names: Iterable[str]) -> int:
    return sum(len(files[name]) for name in names if name in files)


def ability_of(name: str) -> str:
    inside = name.removeprefix(f"{ROOT.as_posix()}/")
    fits = (a for a, starts in ABILITIES.items() if any(inside.startswith(start) for start in starts.split()))
    return next(fits, "other")


def from_redesign(names: Iterable[str]) -> int:
    """Lines that git traces to the redesign or to what was before it; moves and copies are followed."""
    known = set(git("rev-list", REDESIGNED).split())
    lines = 0
    for name in names:
        told = git("blame", "-w", "-M", "-C", "--porcelain", "--line-porcelain", "HEAD", "--", name)
        heads = (line.split(" ")[0] for line in told.splitlines() if not line.startswith("\t"))
        lines += sum(len(head) == 40 and head in known for head in heads)
    return lines


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--list", action="store_true", help="name the files that are new for new abilities")
    options.add_argument("--origin", action="store_true", help="ask git where lines come from (a minute)")
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    old, new = before(), today()
    lost = gone(old, new)
    shares = {name: share(new[name], lost) for name in new.keys() - old.keys()}
    by_hand = {f"{ROOT.as_posix()}/{name}" for name in REWRITTEN} & new.keys()
    heirs = {name for name, part in shares.items() if part >= QUARTER} | by_hand
    stayed, fresh = old.keys() & new.keys(), shares.keys() - heirs
    taken = {name: len(new[name]) if name in by_hand else taken_lines(new[name], lost) for name in shares}
    rows = [
        (f"before ({BEFORE})", len(old), size(old, old)),
        ("now, in files that were there", len(stayed), size(new, stayed)),
        ("now, in files that took over, whole", len(heirs), size(new, heirs)),
        ("now, definitions taken over, in any file", sum(n > 0 for n in taken.values()), sum(taken.values())),
        ("files that were there + what was taken over", "", size(new, stayed) + sum(taken.values())),
        ("files that were there + files that took over", "", size(new, stayed | heirs)),
        ("now, in files for new abilities", len(fresh), size(new, fresh)),
        ("now, all", len(new), size(new, new)),
    ]
    if given.origin:
        rows.append((f"of all: stood when the redesign ended ({REDESIGNED})", "", from_redesign(new)))
    table: list[dict[str, object]] = [{"lines": w, "files": f, "number": f"{n:,}"} for w, f, n in rows]
    show(table, name="lines", page=given.write)
    kinds = Counter[str]()
    files = Counter(ability_of(name) for name in fresh)
    for name in fresh:
        kinds[ability_of(name)] += len(new[name])
    print()
    listed: list[dict[str, object]] = [
        {"new for": kind, "files": files[kind], "lines": f"{lines:,}"} for kind, lines in kinds.most_common()
    ]
    show(listed, name="lines by ability", page=given.write)
    print("\ntook over:")
    for name in sorted(heirs):
        why = REWRITTEN.get(name.removeprefix(f"{ROOT.as_posix()}/"), "")
        print(f"{len(new[name]):6} {name} ({shares[name]:.0%}{', for ' + why if why else ''})")
    if given.list:
        print("\nnew, for new abilities:")
        for name in sorted(fresh, key=lambda name: (ability_of(name), name)):
            print(f"{len(new[name]):6} {name} ({ability_of(name)})")


if __name__ == "__main__":
    main()
