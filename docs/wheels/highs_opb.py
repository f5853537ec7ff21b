#!/usr/bin/env python3
"""The mixed-integer solver HiGHS as a program for pseudo-Boolean formulas, through the Python package highspy: reads a
linear formula, answers in the competitions' form.

    pip install highspy
    cp highs_opb.py ~/bin/highs_opb; chmod +x ~/bin/highs_opb
    rebus solve m.rebus --solver highs

HiGHS calculates with floating-point numbers, to a millionth. A formula with greater numbers is left alone; a model is
checked by rebus, the word that there is none, or none better, is not.
"""

import sys

import highspy

# numbers beyond it are no longer told apart
MOST = 100_000

args = sys.argv[1:]
seconds = None
if args[:1] == ["--time"]:
    seconds = float(args[1])
    args = args[2:]

solver = highspy.Highs()
solver.silent()
# where the best is wanted, it is the best and not one nearby
solver.setOptionValue("mip_rel_gap", 0.0)
solver.setOptionValue("mip_abs_gap", 0.0)
if seconds is not None:
    solver.setOptionValue("time_limit", seconds)
infinity = solver.getInfinity()
known = {}


def column(name):
    if name not in known:
        known[name] = len(known)
        solver.addVar(0, 1)
        solver.changeColIntegrality(known[name], highspy.HighsVarType.kInteger)
    return known[name]


def terms(words):
    """Columns with their coefficients; what negated literals add to the sum."""
    coefficients = {}
    constant = 0
    for coefficient, literal in zip(map(int, words[::2]), words[1::2], strict=True):
        at = column(literal.removeprefix("~"))
        if literal.startswith("~"):
            constant += coefficient
            coefficient = -coefficient
        coefficients[at] = coefficients.get(at, 0) + coefficient
    return coefficients, constant


greatest = 0
objective = None
# of rows without variables
holds = True
with open(args[0]) as lines:
    for line in lines:
        words = line.split()
        if not words or words[0].startswith("*"):
            if words[1:2] == ["#variable="]:
                for number in range(1, int(words[2]) + 1):
                    column(f"x{number}")
            continue
        assert words.pop() == ";", line
        if words[0] == "min:":
            objective, offset = terms(words[1:])
            numbers = objective.values()
            for at, coefficient in objective.items():
                solver.changeColCost(at, float(coefficient))
        else:
            *words, sign, bound = words
            assert sign in (">=", "="), line
            row, constant = terms(words)
            bound = int(bound) - constant
            upper = bound if sign == "=" else infinity
            holds = holds and (bool(row) or bound <= 0 <= upper)
            numbers = [*row.values(), bound]
            if max(map(abs, numbers)) <= MOST:
                solver.addRow(bound, upper, len(row), list(row), [float(value) for value in row.values()])
        greatest = max([greatest, *map(abs, numbers)])

if not holds or not known:
    print("s SATISFIABLE\nv" if holds else "s UNSATISFIABLE")
    sys.exit()
if greatest > MOST:
    print(f"c the number {greatest} is too great for calculating with floating-point numbers")
    print("s UNKNOWN")
    sys.exit()
solver.run()
status = solver.getModelStatus()
solution = solver.getSolution()
if solution.value_valid and len(solution.col_value) == len(known):
    values = {name: solution.col_value[at] > 0.5 for name, at in known.items()}
    if objective is not None:
        print("o", offset + sum(number for at, number in objective.items() if solution.col_value[at] > 0.5))
    proven = objective is not None and status == highspy.HighsModelStatus.kOptimal
    print("s", "OPTIMUM FOUND" if proven else "SATISFIABLE")
    print("v", " ".join(name if value else "-" + name for name, value in values.items()))
elif status == highspy.HighsModelStatus.kInfeasible:
    print("s UNSATISFIABLE")
else:
    print("s UNKNOWN")
