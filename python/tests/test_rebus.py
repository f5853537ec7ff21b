"""The package against what the program says, and against values that nobody would expect."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest

import rebus

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def boards():
    for file in sorted(EXAMPLES.glob("*/*.json")):
        clues = file.with_suffix(".clues")
        yield pytest.param(file.stem.rsplit("-", 1)[0] if clues.exists() else file.stem, file, clues, id=file.stem)


@pytest.mark.parametrize("model, file, clues", list(boards()))
def test_every_board_has_its_known_solution(model, file, clues):
    puzzle = rebus.load(model, *([str(clues)] if clues.exists() else []))
    known = json.loads(file.read_text().splitlines()[0])["values"]
    solution = puzzle.solve()
    assert solution is not None
    assert solution._answer.values == known
    assert puzzle.verify(str(solution))


def test_values_by_name():
    numpy = pytest.importorskip("numpy")
    solution = rebus.solve("sudoku", clue=SUDOKU)
    assert solution["x"].shape == (9, 9) and solution["x"].dtype == numpy.int64
    assert (solution["x"].sum(axis=0) == 45).all()
    board = rebus.solve("queens", n=5)
    assert list(board) == ["queen"] or board.values
    loop = rebus.solve("slitherlink", "slitherlink-1")
    assert loop["line"][((1, 1), (1, 2))] in (True, False)


@pytest.mark.parametrize("kind", ["text", "lists", "numpy", "floats", "none"])
def test_a_board_in_every_form(kind):
    numpy = pytest.importorskip("numpy")
    rows = [[0 if c == "." else int(c) for c in SUDOKU[at : at + 9]] for at in range(0, 81, 9)]
    clue = {
        "text": SUDOKU,
        "lists": rows,
        "numpy": numpy.array(rows),
        "floats": numpy.where(numpy.array(rows) == 0, numpy.nan, rows),
        "none": [[entry or None for entry in row] for row in rows],
    }[kind]
    assert rebus.unique("sudoku", clue=clue)


def test_maps_booleans_and_strings_as_values():
    model = "param a[3] : bool\nparam b[2, 2] : (1..9)?\nparam s : text\nvar x : 0..9\nrule: x = count(a) + b[1, 2] + len(s)"
    for text, length in [('a"{b}\\', 6), ("", 0), ("ä\n\t", 3)]:
        solution = rebus.solve(model, a=[True, False, True], b={(1, 2): 1}, s=text)
        assert (solution["x"] if solution else None) == (3 + length if 3 + length < 10 else None), text


def test_solutions_come_as_they_are_found():
    start = time.monotonic()
    first = next(iter(rebus.load("queens", n=30)))
    assert str(first) and time.monotonic() - start < 30
    assert len(list(rebus.load("queens", n=6))) == 4
    assert rebus.count("queens", n=8) == (92, True, True)
    assert rebus.count("queens", n=8, limit=5) == (5, False, True)
    seen = {str(solution) for solution in rebus.load("queens", n=6)}
    assert len(seen) == 4


def test_questions():
    several = rebus.load("sudoku", clue=SUDOKU.replace("53", "..", 1).replace("7", "."))
    found, differ = several.two()
    assert len(found) == 2 and differ and all(several.verify(one) for one in found)
    assert not several.unique()
    known = several.deduce()
    assert known.fixed and known.open and not set(known.fixed) & set(known.open)
    wrong = rebus.load("sudoku", clue="55" + SUDOKU[2:])
    assert wrong.solve() is None and wrong.deduce() is None and wrong.count().number == 0
    conflict = wrong.explain()
    assert isinstance(conflict, rebus.Conflict) and any("row 1" in reason.label for reason in conflict), conflict
    kind, values, reasons = rebus.load("sudoku", clue=SUDOKU).why("x[1, 3]")
    assert (kind, values) == ("forced", [4]) and reasons
    best = rebus.load("var x : 1..9\nvar y : 1..9\nrule: x + y = 10\nmaximize x * y").optimum()
    assert best[1] and best[0].objective == 25


def test_answers_are_judged():
    puzzle = rebus.load("queens", n=4)
    right = puzzle.solve()
    assert puzzle.verify(right) and puzzle.verify(str(right)) and puzzle.verify(right.values)
    other = rebus.load("sudoku", clue=SUDOKU)
    values = other.solve().values
    values["x"] = values["x"].copy()
    values["x"][0, 2] = 9
    verdict = other.verify(values)
    assert not verdict and verdict.kind == "broken" and verdict.broken
    assert other.verify("").kind == "incomplete"


def test_formulas_for_other_libraries():
    pycosat = pytest.importorskip("pycosat")
    from pysat.solvers import Solver

    puzzle = rebus.load("sudoku", clue=SUDOKU)
    formula = puzzle.compile()
    assert formula.clauses and max(abs(one) for clause in formula.clauses for one in clause) <= formula.variables
    assert str(formula.decode(pycosat.solve(formula.clauses))) == str(puzzle.solve())
    with Solver(name="minisat22", bootstrap_with=formula.clauses) as solver:
        assert solver.solve()
        assert puzzle.verify(formula.decode(solver.get_model()))
    impossible = rebus.compile("sudoku", clue="55" + SUDOKU[2:])
    assert impossible.decode(pycosat.solve(impossible.clauses)) is None
    # all models of a formula whose solutions are its models
    queens = rebus.compile("queens", n=6)
    assert len({str(queens.decode(model)) for model in pycosat.itersolve(queens.clauses)}) == 4
    # a model that breaks a rule is none
    with pytest.raises(rebus.RebusError):
        formula.decode([-number for number in range(1, formula.variables + 1)])
    for kind in ["opb", "wcnf", "xcc"]:
        assert rebus.compile("queens", n=4, kind=kind).text
    with pytest.raises(ValueError):
        rebus.compile("queens", n=4, kind="smt")


def test_encodings_are_chosen():
    sizes = {}
    for name in ["pairwise", "ladder", "product", "commander"]:
        formula = rebus.compile("queens", n=12, encodings={"amo": name})
        sizes[name] = (formula.variables, formula.rows)
        assert rebus.count("queens", n=6, encodings={"amo": name}).number == 4
    assert len(set(sizes.values())) == 4, sizes
    for wrong in [{"amo": "best"}, {"of": "pairwise"}]:
        with pytest.raises(ValueError, match="is none of"):
            rebus.load("queens", encodings=wrong)


def test_drawings():
    puzzle = rebus.load("akari", "akari-1")
    solution = puzzle.solve()
    for picture in [puzzle._repr_html_(), solution._repr_html_(), solution._repr_svg_(), puzzle.deduce()._repr_html_()]:
        assert picture.startswith("<svg") and "<script" not in picture
    hostile = rebus.load('param s : text\nvar x : 1..2\nshow "{s}{x}"', s="<script>alert(1)</script>")
    assert "<script" not in hostile.solve()._repr_html_()


def test_faults_have_places():
    with pytest.raises(rebus.RebusError) as caught:
        rebus.solve("var x : 1..3\nrule: y = 1\nrule: z = 2")
    faults = caught.value.faults
    assert [fault.message for fault in faults] == ["`y` is not defined", "`z` is not defined"]
    assert (faults[0].places[0].line, faults[0].places[0].column) == (2, 7)
    assert "<pre>" in caught.value._repr_html_()
    with pytest.raises(rebus.RebusError, match="sudoku"):
        rebus.solve("sudko")
    with pytest.raises(rebus.RebusError, match="clue"):
        rebus.solve("sudoku")
    with pytest.raises(rebus.RebusError, match="no parameter"):
        rebus.solve("queens", m=3)


def test_limits():
    assert not rebus.count("queens", n=20, timeout=0.5).complete
    with pytest.raises(rebus.LimitError):
        list(rebus.load("queens", n=20, timeout=0.5))
    for wrong in [0, -1, float("nan")]:
        with pytest.raises(ValueError):
            rebus.load("queens", timeout=wrong)


@pytest.mark.parametrize("clue", [object(), 1.5, [[object()]], {1: {2}}, b"12", [[1, 2], [3]], [[2**70]], complex(1, 2), "", []])
def test_values_that_are_none(clue):
    with pytest.raises((rebus.RebusError, TypeError)):
        rebus.solve("sudoku", clue=clue)


def test_other_threads_run_meanwhile():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    assert not rebus.count("queens", n=20, timeout=1).complete
    stop.set()
    thread.join()
    assert len(ticks) > 20
    # puzzles of several threads do not know of each other
    found = []
    threads = [threading.Thread(target=lambda n=n: found.append((n, rebus.count("queens", n=n).number))) for n in (4, 5, 6, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(4, 2), (5, 10), (6, 4), (7, 40)]


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize("question", ["rebus.count('queens', n=24)", "[0 for _ in rebus.load('queens', n=24)]"])
def test_an_interrupt_ends_a_question(question):
    program = f"import rebus\nprint('ready', flush=True)\ntry:\n    {question}\nexcept KeyboardInterrupt:\n    print('interrupted')"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=10)[0] == "interrupted\n"


def test_an_iterator_that_is_left_stops():
    before = threading.active_count()
    for _ in range(20):
        next(iter(rebus.load("queens", n=20)))
    assert threading.active_count() == before


def test_many_boards():
    pandas = pytest.importorskip("pandas")
    lines = pandas.Series([SUDOKU, "55" + SUDOKU[2:], "." * 81, "xyz"])
    frame = rebus.frame("sudoku", lines, "clue")
    assert list(frame["status"]) == ["unique", "none", "several", "fault"]
    assert frame["x"][0].shape == (9, 9) and "error" in frame["fault"][3]


def test_the_catalogue():
    models = {model.name: model for model in rebus.catalogue()}
    assert len(models) > 90 and "unequal" in models["futoshiki"].aliases
    assert rebus.solve(models["akari"].text, models["akari"].boards[0].data)
