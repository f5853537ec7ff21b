"""noqx's program for a board of the catalogue: python3 noqx.py NOQX-FOLDER GENRE CLUES-FILE."""

import re
import sys

folder, genre, file = sys.argv[1:]
sys.path.insert(0, folder)

from noqx.manager import load_solver, modules  # noqa: E402
from noqx.puzzle import Point, Puzzle  # noqa: E402

CIRCLES = {"masyu": "circle_L__", "yinyang": "circle_M__"}
load_solver("solver", genre)
solver = modules[genre]
puzzle = Puzzle(genre, "", {name: parameter["default"] for name, parameter in solver.parameters.items()})
picture = re.search(r'clue = """\n(.*?)"""', open(file, encoding="utf-8").read(), re.S).group(1)
rows = [row.split() for row in picture.splitlines() if row.strip()]
puzzle.row, puzzle.col = len(rows), len(rows[0])
for r, row in enumerate(rows):
    for c, sign in enumerate(row):
        if sign == ".":
            continue
        if genre in CIRCLES:
            puzzle.symbol[Point(r, c)] = CIRCLES[genre] + ("1" if sign == "o" else "2")
        else:
            puzzle.text[Point(r, c)] = int(sign) if sign.isdigit() else sign
print(solver.solve(puzzle))
