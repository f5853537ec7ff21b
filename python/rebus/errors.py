"""What goes wrong: faults of a model or its data with their places, limits that were reached."""

from __future__ import annotations

import html
from typing import List, NamedTuple, Sequence


class Place(NamedTuple):
    """Where a fault is."""

    source: str
    line: int
    column: int
    label: str


class Fault(NamedTuple):
    """A fault with its places, notes, and how to mend it."""

    code: str
    is_error: bool
    message: str
    places: List[Place]
    notes: List[str]
    help: List[str]


class RebusError(Exception):
    """A fault of a model, of its data or of a question; ``faults`` has each by itself."""

    def __init__(self, message: str, faults: Sequence[tuple] = ()) -> None:
        super().__init__(message)
        self.faults = [
            Fault(code, is_error, text, [Place(*place) for place in places], list(notes), list(help))
            for code, is_error, text, places, notes, help in faults
        ]

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


class LimitError(RebusError):
    """A limit of time or memory was reached, or the question was cancelled."""
