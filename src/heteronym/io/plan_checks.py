"""Nothing in a plan is ignored silently: keys that do not apply, types and languages that nobody knows.

What can be told without data is told when the plan is read, what needs the data when the two meet. A name is
only proposed where it is a plain slip of the pen: a proposal must not lead to a weaker promise.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from heteronym import registry
from heteronym.errors import PlanError, nearest, row_list
from heteronym.io.repeats import holds_identifiers_of_others, repeating_rows
from heteronym.io.sets import split_cells
from heteronym.io.values import comparable_cells, is_readable, text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.part import Model
from heteronym.model.plan import Plan
from heteronym.model.schema import SURROGATE, Attribute, Role, Scale

OWN_READERS = ("accurate", "fast", "none")  # other models are installed pipelines, with labels of their own
OF_HOUSEHOLDS = "k-households"
# k-anonymity shows a term only if all of a group show it: its records are its groups
_COUNTS_ELEMENTS = frozenset({"items", "events"})
_VALUES = frozenset({"scale", "order", "format", "hierarchy"})

# Which keys say something about a column of a role, beside the role itself.
APPLIES: dict[str, frozenset[str]] = {
    "identifier": frozenset({"entities", "recode"}),
    "quasi": _VALUES | {"entities", "recode", "weight"},
    "event": _VALUES | {"entities", "recode", "weight"},
    "sensitive": _VALUES | {"entities", "separator"},
    "plain": frozenset(),
    "items": frozenset({"separator", "sensitive", "hierarchy", "entities", "weight"}),
    "terms": frozenset({"separator", "weight"}),
    "text": frozenset({"weight"}),
}


def check_plan(plan: Plan) -> None:
    """What can be told before any data is read."""
    for problem in _problems(plan):
        raise PlanError(problem)


def _problems(plan: Plan) -> Iterator[str]:
    for name, attribute in plan.attributes.items():
        yield from _idle_keys(name, attribute)
        yield from _ambiguous_separator(name, attribute)
    yield from _unknown_types(plan)
    yield from _unread_language(plan)
    yield from _households_and_weights(plan)
    yield from _surrogates(plan)
    yield from _withheld_cells(plan)
    listed = any(attribute.sensitive for attribute in plan.attributes.values())
    for model in plan.privacy:
        if _declares(model, "limits_sensitive") == "items" and not listed:
            yield (
                f"privacy: {model.name} protects sensitive items, but no items column names any: say "
                "`sensitive: [...]` there. A column with role sensitive is not an item"
            )


def _declares(model: Model, what: str) -> Any:
    """What a privacy model says of itself (`contracts.PrivacyModel`); None if it leaves it out."""
    return getattr(registry.privacy_models.get(model.name), what, None)


def _ambiguous_separator(name: str, attribute: Attribute) -> Iterator[str]:
    r"""Released items are written with `\`, `(` and `)`: no separator may hold one of them."""
    if attribute.role is Role.ITEMS and any(sign in "\\()" for sign in attribute.separator or ""):
        yield (
            f"attributes.{name}.separator: `\\`, `(` and `)` mean something else in released cells. Write "
            "the column with another separator, such as `|`"
        )


def with_households(plan: Plan) -> Plan:
    """With `data.household`, what is promised for persons is promised for as many households, too."""
    if plan.data.household is None or any(_declares(model, "counts_households") for model in plan.privacy):
        return plan
    built = [registry.privacy_models.build(model.name, model.parameters) for model in plan.privacy]
    own = [model for model in built if not hasattr(model, "population")]
    k = max((getattr(model, "k", None) or model.least_persons for model in own), default=1)
    if k < 2:
        raise PlanError(f"data.household: no model says how many; name `{{model: {OF_HOUSEHOLDS}, k: ...}}`")
    added = Model(name=OF_HOUSEHOLDS, parameters={"k": k})
    return plan.model_copy(update={"privacy": (*plan.privacy, added)})


def _households_and_weights(plan: Plan) -> Iterator[str]:
    data = plan.data
    for model in plan.privacy if data.household is None else ():
        if _declares(model, "counts_households"):
            yield f"privacy: {model.name} needs data.household, the column that names the household"
    roles = {name: attribute.role for name, attribute in plan.attributes.items()}
    if roles.get(data.household or "", Role.IDENTIFIER) is not Role.IDENTIFIER:
        yield f"attributes.{data.household}: the household key must have role identifier"
    for model in plan.privacy if data.household is not None else ():
        part = registry.privacy_models.get(model.name)
        if getattr(part, "counts_persons", True) and _COUNTS_ELEMENTS & set(getattr(part, "protects", ())):
            yield (
                f"data.household: {model.name} counts persons who share items, terms or events, not their "
                "households; households are counted by columns only"
            )
    if roles.get(data.weight or "", Role.PLAIN) not in (Role.IDENTIFIER, Role.PLAIN):
        yield f"attributes.{data.weight}: survey weights have role plain, or identifier to be left out"


def _withheld_cells(plan: Plan) -> Iterator[str]:
    """What cannot say "withheld", or counts whom a label may mean."""
    key = "release.suppress_cells_up_to"
    if not plan.release.suppress_cells_up_to:
        return
    if not plan.named(Role.QUASI):
        yield f"{key}: no column has role quasi, so that there is no cell to withhold"
    for model in plan.privacy:
        if hasattr(registry.privacy_models.get(model.name), "settle"):
            yield f"{key}: {model.name} counts what labels tell together; a withheld cell may tell anything"
        if registry.privacy_models.has(model.name, "population"):
            yield f"{key}: {model.name} counts whom a label means; a withheld cell means anybody"
    for name in plan.in_numbers:
        yield f"{key}: '{name}' is released in numbers, which cannot say withheld: `release.numeric: label`"
    method = plan.partition.name
    if registry.partitioners.has(method, "suppress_up_to"):
        yield f"{key}: {method} recodes equal values alike everywhere; a withheld one would differ"


def _idle_keys(name: str, attribute: Attribute) -> Iterator[str]:
    role = attribute.role.value
    given = attribute.model_fields_set - {"role"}
    for key in sorted(given - APPLIES.get(role, given)):
        known = ", ".join(sorted(APPLIES[role])) or "no other key"
        yield f"attributes.{name}.{key}: says nothing about a column with role {role}, which takes {known}"
    if attribute.order and attribute.scale is not Scale.ORDINAL:
        yield f"attributes.{name}.order: needs `scale: ordinal`"
    if attribute.format is not None and attribute.scale is not Scale.DATE:
        yield f"attributes.{name}.format: needs `scale: date`"
    twice = [value for value in attribute.order if attribute.order.count(value) > 1]
    if twice:
        yield f"attributes.{name}.order: entry {attribute.order.index(twice[0]) + 1} is given twice"


def _surrogates(plan: Plan) -> Iterator[str]:
    for name, attribute in plan.attributes.items():
        if attribute.role is Role.IDENTIFIER and attribute.recoder not in (None, SURROGATE):
            yield f"attributes.{name}.recode: an identifier is released as `{SURROGATE}`, or not at all"
        if attribute.is_renamed and not attribute.entities:
            yield f"attributes.{name}.recode: say with `entities` of what type, such as [PERSON] or [CODE]"
    names = [f"attributes.{name}.recode" for name in plan.surrogates]
    names += ["recode.surrogates"] if plan.recode.surrogates else []
    if not names:
        if plan.release.shift != "all":
            yield "release.shift: nothing is released as a surrogate, so that no dates are shifted"
        return
    if plan.recode.surrogates and plan.named(Role.TERMS):
        yield "recode.surrogates: renames terms in texts, not those of a column with role terms"
    if plan.data.person in plan.surrogates and plan.release.person_key == "pseudonym":
        yield "release.person_key: the person's column has `recode: surrogate`, which names persons already"
    settling = [m.name for m in plan.privacy if hasattr(registry.privacy_models.get(m.name), "settle")]
    if settling:
        yield f"{names[0]}: '{settling[0]}' does not count what surrogates tell"


def _unknown_types(plan: Plan) -> Iterator[str]:
    text = plan.text
    if text.model not in OWN_READERS:
        return
    known = {*registry.entity_types(), *text.patterns, *text.words}
    named = [(f"attributes.{name}.entities", a.entities) for name, a in plan.attributes.items()]
    named += [("text.entities", text.entities or ()), ("text.direct", text.direct or ())]
    named += [("text.thresholds", tuple(text.thresholds)), ("recode.surrogates", plan.recode.surrogates)]
    for where, types in named:
        for type_ in types:
            if type_ not in known:
                yield f"{where}: no type '{type_}'.{nearest(type_, known)}"


def _unread_language(plan: Plan) -> Iterator[str]:
    language = plan.text.language
    if plan.text.model not in OWN_READERS or plan.text.model == "none" or not plan.named(Role.TEXT):
        return
    # names are found by models; the rules of a pack alone would miss most of them without a word
    known = {one for name in registry.recognizers.names() for one in _read_by_model(name)}
    if language not in known:
        yield (
            f"text.language: nothing reads '{language}' here; known: {', '.join(sorted(known))}. Name an "
            "installed spaCy pipeline for it as text.model, or say `model: none` to use patterns, word lists "
            "and reviewed mentions only"
        )


def _read_by_model(recognizer: str) -> frozenset[str]:
    part = registry.recognizers.get(recognizer)
    found: frozenset[str] = getattr(part, "languages", frozenset())
    return found if getattr(part, "is_model", False) else frozenset()


# --- against the data -----------------------------------------------------------------------------


def check_listed(dataset: Dataset) -> list[str]:
    """Refuses sensitive items that never occur, because a slip of the pen protects nothing; else remarks."""
    remarks = []
    for name, attribute in dataset.schema:
        if attribute.role is Role.ITEMS and name in dataset.hierarchies:
            _check_item_nodes(name, attribute, dataset.hierarchies[name])
        if attribute.sensitive:
            # as strict as the search, which takes spellings as they are
            here = set(split_cells(dataset.frame[name], attribute.separator)[1]["entry"])
            never = [n for n, item in enumerate(attribute.sensitive, 1) if item not in here]
            if never:
                raise PlanError(
                    f"attributes.{name}.sensitive: {_places(never)} of {len(attribute.sensitive)} never "
                    "occurs in the data, and would protect nothing. Mend the spelling or leave it out"
                )
        if attribute.order:
            cells = text_cells(dataset.frame[name], dataset.missing).drop_nulls().unique()
            here = {_folded(cell) for cell in cells}
            never = [n for n, value in enumerate(attribute.order, 1) if _folded(value) not in here]
            if never:
                remarks.append(f"attributes.{name}.order: {_places(never)} never occurs in the data")
    never = _idle_missing(dataset)
    return remarks + ([f"data.missing: {_places(never)} never occurs in the data"] if never else [])


def _check_item_nodes(name: str, attribute: Attribute, hierarchy: Hierarchy) -> None:
    """Refuses nodes whose names would read as something else in a released cell; the root is never shown."""
    below: dict[str, set[int]] = {}
    for names, nodes in zip(hierarchy.names, hierarchy.node, strict=True):
        for leaf, node in enumerate(nodes.tolist()):
            below.setdefault(names[node], set()).add(leaf)
    wide = {node for node, leaves in below.items() if len(leaves) > 1}
    reasons = {
        "like a sensitive item": wide & set(attribute.sensitive),
        "like an item that it is not": wide & set(hierarchy.leaves),
        "with `(` or `\\` before it": {node for node in wide if node.startswith(("(", "\\"))},
        "with the separator in it": {n for n in wide if attribute.separator and attribute.separator in n},
    }
    for reason, nodes in reasons.items():
        if nodes:
            raise PlanError(
                f"attributes.{name}.hierarchy: {len(nodes)} nodes are named {reason}, and a released cell "
                "could be read in two ways. Rename them in the hierarchy"
            )


def _idle_missing(dataset: Dataset) -> list[int]:
    """Which of the cells that mean missing no column has."""
    listed = sorted(dataset.missing)
    idle = set(listed)
    for column in dataset.frame:
        if not idle:
            break
        if is_readable(column):
            idle -= set(text_cells(column).drop_nulls().unique().str.strip_chars())
    return [number for number, value in enumerate(listed, 1) if value in idle]


def check_found(plan: Plan, found: Iterable[str]) -> list[str]:
    """A remark on the types that the plan lists for texts and that are not among those `found` in them."""
    text, here = plan.text, set(found)
    named = {f"attributes.{name}.entities": a.entities for name, a in plan.attributes.items()}
    named |= {"text.entities": text.entities or (), "text.direct": text.direct or ()}
    named |= {"text.words": tuple(text.words), "text.patterns": tuple(text.patterns)}
    if not plan.named(Role.TEXT):
        idle = [where for where, types in named.items() if types]
        return [f"{', '.join(idle)}: no column has role text"] if idle else []
    idle = []
    del named["text.direct"]  # says how types are treated, not that they are expected
    for where, types in named.items():
        never = [type_ for type_ in types if type_ not in here]
        # a column may be said in several ways; one of them is enough
        if never and (len(never) == len(types) or not where.startswith("attributes.")):
            idle.append(f"{where}: {', '.join(never)}")
    return [f"listed in the plan, and found in no text: {'; '.join(idle)}"] if idle else []


def check_reviewed(types: Iterable[str], plan: Plan, *, direct: frozenset[str]) -> None:
    """Refuses reviewed mentions of types that the plan does not count: they would stay in the texts."""
    if plan.text.entities is None:
        return
    linked = {type_ for attribute in plan.attributes.values() for type_ in attribute.entities}
    idle = sorted(set(types) - set(plan.text.entities) - linked - direct)
    if idle:
        raise PlanError(
            f"mentions: the type '{idle[0]}' is not among text.entities, so that its mentions would stay in "
            "the texts. Add it there, or leave them out of the file"
        )


def _places(numbers: list[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:5])
    return f"entry {shown}" + (" and others" if len(numbers) > 5 else "")


def _folded(value: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def check_unchanged(dataset: Dataset, *, before: int = 0) -> None:
    """Refuses columns that would be released as they are and repeat an identifier, in whatever writing.

    `before` is how many rows of the data came before these.
    """
    identifiers = [
        (name, text_cells(dataset.frame[name], dataset.missing))
        for name in dataset.schema.named(Role.IDENTIFIER)
        if is_readable(dataset.frame[name])
    ]
    person = dataset.schema.person
    persons = None if person is None else dataset.frame[person]
    for name in dataset.schema.named(Role.PLAIN, Role.SENSITIVE):
        column = dataset.frame[name]
        if not (is_readable(column) or column.dtype.is_nested()):
            continue
        nested = column.dtype.is_nested()
        cells = comparable_cells(column) if nested else text_cells(column, dataset.missing)
        role = dataset.schema[name].role.value
        for identifier, keys in identifiers:
            rows = repeating_rows(cells, keys)
            what = f"repeats the identifier '{identifier}'"
            if not rows:
                rows = holds_identifiers_of_others(cells, keys, persons)
                what = f"holds values of the identifier '{identifier}' of others"
            if rows:
                here = [row + before for row in rows]
                raise PlanError(
                    f"attributes.{name}: is {role}, but {what} in {row_list(here)}. Give it role identifier, "
                    "or text if it holds sentences"
                )
