"""Values of Python as the texts that parameters take, and answers as values of Python."""

from __future__ import annotations

import ast
import math
from typing import Any

try:
    import numpy
except ImportError:  # lists do as well
    numpy = None


def _is_array(value: Any) -> bool:
    return numpy is not None and isinstance(value, numpy.ndarray)


def _scalar(value: Any) -> Any:
    """A number, text, truth or None of Python for one of numpy or pandas; NaN is None."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if value.is_integer():
            return int(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    raise TypeError(f"{value!r} is no value of a puzzle: numbers, strings, booleans and None are")


def literal(value: Any) -> str:
    """A value in the syntax of a model."""
    if _is_array(value):
        return literal(value.tolist())
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(literal, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, (list, set, frozenset, range)):
        return "[" + ", ".join(map(literal, value)) + "]"
    value = _scalar(value)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return '"' + escaped.replace("{", "{{").replace("}", "}}") + '"'


def _rows(value: Any) -> list | None:
    """The rows of a table of numbers, as numbers and None; None if it is none."""
    if _is_array(value):
        if value.ndim != 2 or value.dtype.kind not in "iufO":
            return None
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or not value or not all(isinstance(row, (list, tuple)) for row in value):
        return None
    try:
        rows = [[_scalar(entry) for entry in row] for row in value]
    except TypeError:
        return None
    numbers = all(entry is None or isinstance(entry, int) and not isinstance(entry, bool) for row in rows for entry in row)
    return rows if numbers and len({len(row) for row in rows}) == 1 and rows[0] else None


def parameter(value: Any) -> str:
    """The text that gives a parameter this value: a picture for a table of numbers, where 0 may stand for nothing."""
    if isinstance(value, str):
        return value
    rows = _rows(value)
    if rows is not None:
        return "\n".join(" ".join("." if entry is None else str(entry) for entry in row) for row in rows)
    return literal(value)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


def _key(text: str) -> Any:
    """The key that a text in the syntax of a model writes; lists become tuples."""
    try:
        return _hashable(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def answer(value: Any) -> Any:
    """A value of an answer: arrays are those of numpy, if it is there, and maps have their keys as tuples."""
    if isinstance(value, dict):
        return {_key(key): answer(entry) for key, entry in value.items()}
    if not isinstance(value, list):
        return value
    if numpy is not None:
        flat = _flat(value)
        if flat is not None:
            kinds = {type(entry) for entry in flat}
            if kinds == {bool}:
                return numpy.array(value, dtype=bool)
            if kinds == {int}:
                return numpy.array(value, dtype=numpy.int64)
            if flat:
                return numpy.array(value, dtype=object)
    return [answer(entry) for entry in value]


def _flat(value: list) -> list | None:
    """The entries of lists that are nested evenly; None if they are not."""
    if not any(isinstance(entry, (list, dict)) for entry in value):
        return list(value)
    if not all(isinstance(entry, list) for entry in value) or len({len(entry) for entry in value}) != 1:
        return None
    parts = [_flat(entry) for entry in value]
    return None if any(part is None for part in parts) else [entry for part in parts for entry in part]
