"""Logic puzzles: models in a small language, solved, counted, explained and drawn.

>>> import rebus
>>> print(rebus.solve("queens", n=4))
. ♛ . .
. . . ♛
♛ . . .
. . ♛ .
"""

from __future__ import annotations

import html
import os
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _rebus, _values
from .errors import Fault, LimitError, Place, RebusError

__all__ = [
    "Board",
    "Compiled",
    "Conflict",
    "Count",
    "Deduction",
    "Fault",
    "LimitError",
    "Place",
    "Puzzle",
    "Reason",
    "RebusError",
    "Solution",
    "Verdict",
    "catalogue",
    "compile",
    "count",
    "decode",
    "frame",
    "load",
    "solve",
    "unique",
]


def _pictured(svg: str) -> str:
    """A picture with its own style: a page may show several."""
    return svg.replace("</desc>", f"</desc><style>{_rebus.style()}</style>", 1)


class Solution:
    """A solution; ``solution["x"]`` is the value of a variable, as an array of numpy if it is one."""

    def __init__(self, answer: Any, core: Any = None) -> None:
        self._answer = answer
        self._core = core
        self.values: Dict[str, Any] = {name: _values.answer(value) for name, value in answer.values.items()}
        self.objective: Optional[int] = answer.objective

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __str__(self) -> str:
        return self._answer.text.rstrip("\n")

    def __repr__(self) -> str:
        names = ", ".join(self.values)
        return f"<Solution of {names}>"

    @property
    def svg(self) -> str:
        """The drawing as SVG."""
        if self._core is None:
            raise RebusError("a solution that was decoded is drawn as text alone: str(solution)")
        return _pictured(self._core.picture(self._answer.positions))

    def _repr_svg_(self) -> Optional[str]:
        return None if self._core is None else self.svg

    def _repr_html_(self) -> str:
        return self.svg if self._core is not None else f"<pre>{html.escape(str(self))}</pre>"


class Reason(NamedTuple):
    """A rule, with its place, the places of the data that it reads, and the entries that it speaks of."""

    label: str
    place: str
    data: List[str]
    entries: List[str]


class Conflict(list):
    """Rules that cannot hold together, of which none can be spared."""

    def __str__(self) -> str:
        return "\n".join(f"{reason.label}  ({reason.place})" for reason in self)


class Count(NamedTuple):
    """A number of solutions. Not ``complete``: there are more. Not ``exact``: an estimate."""

    number: int
    complete: bool
    exact: bool

    def __int__(self) -> int:
        return self.number


class Deduction:
    """What all solutions share: ``fixed`` values; ``open`` entries, with what is possible as far as that is known."""

    def __init__(self, found: Dict[str, Any]) -> None:
        self.fixed: Dict[str, Any] = found["fixed"]
        self.open: Dict[str, Optional[list]] = found["open"]
        self.complete: bool = found["complete"]
        self._text, self._svg = found["text"], found["svg"]

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return self._svg


class Verdict:
    """Whether an answer is right; true if it is. ``kind`` is correct, broken, incomplete or unlike."""

    def __init__(self, kind: str, objective: Optional[int], broken: Conflict, missing: List[str]) -> None:
        self.kind, self.objective, self.broken, self.missing = kind, objective, broken, missing

    def __bool__(self) -> bool:
        return self.kind == "correct"

    def __repr__(self) -> str:
        details = {"broken": ": " + "; ".join(reason.label for reason in self.broken), "incomplete": ": " + ", ".join(self.missing)}
        return f"<{self.kind}{details.get(self.kind, '')}>"


class Compiled:
    """A formula. ``clauses`` are lists of integers as PySAT and pycosat take them; ``decode`` reads a model of them."""

    def __init__(self, core: Any, kind: str) -> None:
        self.kind = kind
        self.text, self.map, self.variables, self.rows = core.formula(kind)

    @property
    def clauses(self) -> List[List[int]]:
        if self.kind != "cnf":
            raise RebusError(f"a formula of the kind {self.kind} has no clauses: compile(…, kind=\"cnf\") has")
        found = []
        for line in self.text.splitlines():
            if line and line[0] not in "cp":
                found.append([int(literal) for literal in line.split()[:-1]])
        return found

    def decode(self, model: Union[str, Iterable[int], None]) -> Optional[Solution]:
        """The solution of a model, which is a solver's output or a list of literals; None if there is none."""
        if model is None or isinstance(model, str) and model == "UNSAT":
            return None
        if not isinstance(model, str):
            literals = " ".join(str(int(literal)) for literal in model)
            model = f"s SATISFIABLE\nv {literals} 0\n"
        found = decode(self.map, model)
        return found[0] if found else None


class Board(NamedTuple):
    """A board of the catalogue."""

    name: str
    data: str


class Model(NamedTuple):
    """A model of the catalogue."""

    name: str
    about: str
    aliases: List[str]
    text: str
    boards: List[Board]


class Puzzle:
    """A model with its data and options.

    ``model`` is a name of the catalogue, a path (with ``/`` or a suffix), a link of puzz.link or another program, or, if it
    has a line break or ``var``, the text itself. ``data`` are names of boards, paths, or texts of data; further
    keywords give parameters their values: texts as pictures, numbers, lists, dictionaries, arrays of numpy.
    ``encodings`` chooses how constraints become clauses, as ``{"amo": "pairwise"}``; kinds are int, amo, card, sum,
    line and graph.
    """

    def __init__(
        self,
        model: str,
        *data: str,
        without: Sequence[str] = (),
        timeout: Optional[float] = None,
        seed: int = 0,
        exact_cover: bool = False,
        solver: Optional[str] = None,
        encodings: Optional[Dict[str, str]] = None,
        **values: Any,
    ) -> None:
        model = os.fspath(model)
        if timeout is not None and not timeout > 0:
            raise ValueError(f"timeout is {timeout} seconds: a number above 0, or None for no limit")
        is_text = "\n" in model or model.lstrip().startswith(("var ", "param ", "let ", "enum ", "#"))
        texts = []
        for number, one in enumerate(data, 1):
            one = os.fspath(one)
            texts.append((f"data {number}", one) if "\n" in one or "=" in one and "/" not in one else (one, ""))
        given = [(name, _values.parameter(value)) for name, value in values.items()]
        self._core = _rebus.Core(model, is_text, given, texts, list(without), timeout, seed, exact_cover, solver, list((encodings or {}).items()))
        self.warnings, self.has_objective = self._core.check()

    def solve(self) -> Optional[Solution]:
        """A solution, a best one if there is an objective; None if there is none."""
        answer = self._core.solve()
        return None if answer is None else Solution(answer, self._core)

    def solutions(self) -> Iterator[Solution]:
        """Solutions, each as it is found."""
        return (Solution(answer, self._core) for answer in self._core.solutions())

    def __iter__(self) -> Iterator[Solution]:
        return self.solutions()

    def unique(self) -> bool:
        """Is there just one solution?"""
        return self._core.unique()[0] == "unique"

    def two(self) -> Tuple[List[Solution], List[str]]:
        """Two solutions as far as there are, and the entries in which they differ."""
        _, found, differ = self._core.unique()
        return [Solution(answer, self._core) for answer in found], differ

    def count(self, limit: Optional[int] = None) -> Count:
        """The number of solutions, at most ``limit``."""
        number, complete, exact = self._core.count(limit)
        return Count(int(number), complete, exact)

    def optimum(self) -> Optional[Tuple[Solution, bool]]:
        """A best solution, and whether that is proven."""
        found = self._core.optimum()
        return None if found is None else (Solution(found[0], self._core), found[1])

    def deduce(self) -> Optional[Deduction]:
        """What all solutions share; None if there is none."""
        found = self._core.deduce()
        return None if found is None else Deduction(found)

    def explain(self) -> Union[Conflict, List[Solution]]:
        """Rules that cannot hold together; or, of a puzzle with solutions, one or two of them."""
        kind, reasons, found = self._core.explain()
        if kind == "impossible":
            return Conflict(Reason(*reason) for reason in reasons)
        return [Solution(answer, self._core) for answer in found]

    def why(self, expression: str) -> Tuple[str, list, Conflict]:
        """Why has an expression its value? ``forced`` with the value and rules, or ``open`` with two values."""
        kind, values, reasons = self._core.why(expression)
        return kind, values, Conflict(Reason(*reason) for reason in reasons)

    def verify(self, answer: Union[str, Solution, Dict[str, Any]]) -> Verdict:
        """Is this a solution: a drawing, ``name = value`` items, JSON, a solution, or values by name?"""
        if isinstance(answer, Solution):
            answer = answer.values
        if isinstance(answer, dict):
            answer = "".join(f"{name} = {_values.literal(value)}\n" for name, value in answer.items())
        kind, objective, reasons, missing = self._core.verify(answer)
        return Verdict(kind, objective, Conflict(Reason(*reason) for reason in reasons), missing)

    def compile(self, kind: str = "cnf") -> Compiled:
        """The formula: ``cnf``, ``opb``, ``wcnf`` or ``xcc``."""
        return Compiled(self._core, kind)

    def __str__(self) -> str:
        return self._core.draw()[0].rstrip("\n")

    def _repr_html_(self) -> str:
        return _pictured(self._core.draw()[1])

    def _repr_svg_(self) -> str:
        return _pictured(self._core.draw()[1])


def load(model: str, *data: str, **options: Any) -> Puzzle:
    """A puzzle; see :class:`Puzzle`."""
    return Puzzle(model, *data, **options)


def solve(model: str, *data: str, **options: Any) -> Optional[Solution]:
    """A solution of a puzzle; None if there is none."""
    return Puzzle(model, *data, **options).solve()


def unique(model: str, *data: str, **options: Any) -> bool:
    """Has a puzzle just one solution?"""
    return Puzzle(model, *data, **options).unique()


def count(model: str, *data: str, limit: Optional[int] = None, **options: Any) -> Count:
    """The number of solutions of a puzzle, at most ``limit``."""
    return Puzzle(model, *data, **options).count(limit)


def compile(model: str, *data: str, kind: str = "cnf", **options: Any) -> Compiled:
    """A puzzle as a formula: ``cnf``, ``opb``, ``wcnf`` or ``xcc``."""
    return Puzzle(model, *data, **options).compile(kind)


def decode(map: str, output: str) -> List[Solution]:
    """The solutions in a solver's output, each checked against the rules that the map carries."""
    return [Solution(answer) for answer in _rebus.decode(map, output)[0]]


def catalogue() -> List[Model]:
    """The models that come with rebus."""
    return [
        Model(name, about, aliases, text, [Board(*board) for board in boards])
        for name, about, aliases, text, boards in _rebus.catalogue()
    ]


def frame(model: str, boards: Iterable[Any], parameter: str, **options: Any) -> Any:
    """Many boards as a frame of pandas: the board, its status, the drawing and the values of its first solution."""
    import pandas

    boards = list(boards)
    rows = []
    for board in boards:
        row: Dict[str, Any] = {"board": board}
        try:
            found, _ = Puzzle(model, **{parameter: board}, **options).two()
            row["status"] = ["none", "unique", "several"][len(found)]
            if found:
                row["solution"] = str(found[0])
                row.update(found[0].values)
        except LimitError as error:
            row.update(status="limit", fault=str(error))
        except RebusError as error:
            row.update(status="fault", fault=str(error))
        rows.append(row)
    return pandas.DataFrame(rows, index=getattr(boards, "index", None) if not isinstance(boards, list) else None)
