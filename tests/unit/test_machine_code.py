"""Kernels as object files: every kind of argument and result, errors, what is kept and made again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from heteronym import kept, machine_code
from heteronym.compiled import kernel


class Inner(NamedTuple):
    values: Any
    factor: Any


class Outer(NamedTuple):
    inner: Any
    marks: Any
    flag: Any


class Made(NamedTuple):
    sums: Any
    count: Any


@kernel
def scaled(inner, i):
    return inner.values[i, 0] * inner.factor


@kernel
def work(outer, pair, shift, out):
    total = 0.0
    for i in range(outer.inner.values.shape[0]):
        total += scaled(outer.inner, i) + scaled(outer.inner, 0)  # a constant beside a variable
        out[i] = outer.inner.values[i, 1] + shift
    if outer.flag:
        total += pair[0]
    return total, outer.flag, out[::2], Made(np.arange(3) * pair[1], len(outer.marks))


@kernel
def divided(a, b):
    return a // b


@kernel
def halved(values):
    for i in range(len(values)):
        values[i] //= 2


@kernel
def counted(values, count):
    return values, np.arange(count), np.arange(count) + 1


@kernel
def row_of(table, i):  # hands on what others keep
    return table[i]


@kernel
def chosen(table, made, i):  # one of two, of which one was made here
    other = made if i % 2 else table[i]
    return other


@kernel
def summed(table, i):  # looks at a part and makes nothing
    row, total = table[i, 1:], 0
    for value in row:
        total += value
    return total


@kernel
def lent_and_made(table):
    total, last = 0, np.zeros(table.shape[1], table.dtype)
    for i in range(table.shape[0]):
        made = np.array([value + 1 for value in table[i]])
        last = chosen(table, made, i)
        total += summed(table, i) + row_of(table, i)[0] + row_of(made.reshape((1, -1)), 0)[-1] + last[0]
    return total, last, row_of(table, 0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for one in (work, divided, halved, counted, lent_and_made):
        one.__dict__.pop("entrance", None)
    return tmp_path


def arguments(dtype: type = np.int64) -> tuple[Any, ...]:
    values = np.arange(12, dtype=dtype).reshape(6, 2)
    outer = Outer(Inner(values, 1.5), np.zeros(4, np.bool_), True)
    return outer, (2, 3), np.int32(7), np.zeros(6, np.int32)


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.float64])
def test_compiled_is_what_python_says(dtype: type) -> None:
    given, other = arguments(dtype), arguments(dtype)
    there, here = work.entrance(*given), work.function(*other)
    assert there[:2] == here[:2]
    assert there[2].tolist() == here[2].tolist()
    assert isinstance(there[3], Made)
    assert there[3].sums.tolist() == here[3].sums.tolist()
    assert there[3].count == 4
    assert given[3].tolist() == other[3].tolist() == [8, 10, 12, 14, 16, 18]


def test_arrays_of_others_are_lent_and_those_that_are_made_live_as_long_as_they_are_used() -> None:
    table = np.arange(40).reshape(8, 5)
    expected = lent_and_made.function(table)
    for _ in range(200):  # what was given back too early would be written over
        total, last, first = lent_and_made.entrance(table)
        assert (total, last.tolist(), first.tolist()) == (expected[0], [*expected[1]], [*expected[2]])


def test_views_are_taken_by_their_strides() -> None:
    values = np.arange(12).reshape(6, 2)
    outer = Outer(Inner(values[::-2], 1.0), np.zeros(0, np.bool_), False)
    there = work.entrance(outer, (1, 1), 0, np.zeros(3, np.int32))
    assert there[0] == work.function(outer, (1, 1), 0, np.zeros(3, np.int32))[0]


def test_results_outlive_the_call() -> None:
    kept_back = [work.entrance(*arguments())[2] for _ in range(50)]
    assert all(one.tolist() == [8, 12, 16] for one in kept_back)


def test_errors_come_as_python_has_them() -> None:
    assert divided.entrance(7, 2) == 3
    with pytest.raises(ZeroDivisionError):
        divided.entrance(1, 0)


def test_what_is_no_number_is_refused_by_its_type() -> None:
    with pytest.raises(TypeError, match="not str"):
        divided.entrance("Anna", 1)


def test_arrays_that_may_not_be_written_are_a_type_of_their_own() -> None:
    values = np.arange(4)
    values.flags.writeable = False
    with pytest.raises(Exception, match=r"(?i)readonly|read-only|cannot|Cannot"):
        halved.entrance(values)
    assert values.tolist() == [0, 1, 2, 3]


def test_kept_code_is_used_and_broken_code_is_made_again(folder: Path) -> None:
    divided.entrance(7, 2)
    (path,) = folder.glob("*divided*.kernel")
    whole = path.read_bytes()
    for damaged in (whole[:-10], whole[:20], b"", b"[]\n"):
        path.write_bytes(damaged)
        divided.__dict__.pop("entrance")
        assert divided.entrance(9, 2) == 4
        assert path.read_bytes() == whole


def test_a_second_process_needs_no_numba(folder: Path) -> None:
    code = (
        "import sys, numpy as np\n"
        "from heteronym.model._set_kernels import find_places\n"
        "codes, place = np.arange(20000, dtype=np.int32), np.empty(20000, np.int64)\n"
        "find_places(np.zeros(20000, np.int64), codes, np.array([0, 20000]), codes, place)\n"
        "print(int(place.sum()), 'numba' in sys.modules)\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=dict(os.environ)
        ).stdout.split()
        for _ in range(2)
    ]
    assert said == [["199990000", "True"], ["199990000", "False"]]


def test_a_folder_that_cannot_be_written_only_costs_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    kept.keep("name", b"content")
    assert kept.read("name") is None
    assert divided.entrance(8, 2) == 4


def test_large_results_outlive_each_other_and_the_arguments() -> None:
    count = machine_code.LARGE // 8 + 1
    given = np.ones(count, np.int64)
    came_back, first, second = counted.entrance(given, count)
    assert not np.shares_memory(came_back, given)  # Python may let go of it
    del given, first
    again = counted.entrance(np.zeros(count, np.int64), count)
    assert came_back.sum() == count
    assert second.tolist() == list(range(1, count + 1))
    second[0] = 7  # nobody else has it
    assert again[2][0] == 1
