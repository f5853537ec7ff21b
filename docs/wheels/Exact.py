#!/usr/bin/env python3
"""The pseudo-Boolean solver Exact as a program, through the Python package exact: reads a linear formula, answers in the
competitions' form.

    pip install exact
    cp Exact.py ~/bin/Exact; chmod +x ~/bin/Exact
    rebus solve m.rebus --solver exact
"""

import argparse

import exact

options = argparse.ArgumentParser()
options.add_argument("--print-sol", action="store_true")
options.add_argument("formula")
options = options.parse_args()

solver = exact.Exact()
known = {}


def terms(words):
    """Pairs of a coefficient and a variable; what negated literals add to the sum."""
    pairs = []
    constant = 0
    for coefficient, literal in zip(map(int, words[::2]), words[1::2], strict=True):
        name = literal.removeprefix("~")
        if name not in known:
            known[name] = solver.addVariable(name)
        if literal != name:
            constant += coefficient
            coefficient = -coefficient
        pairs.append((coefficient, name))
    return pairs, constant


objective = False
with open(options.formula) as lines:
    for line in lines:
        words = line.split()
        if not words or words[0].startswith("*"):
            continue
        assert words.pop() == ";", line
        if words[0] == "min:":
            objective = True
            pairs, constant = terms(words[1:])
            solver.setObjective(pairs, True, constant)
        else:
            *words, sign, bound = words
            assert sign in (">=", "="), line
            pairs, constant = terms(words)
            bound = int(bound) - constant
            solver.addConstraint(pairs, True, bound, sign == "=", bound)

state = solver.runFull(objective)
if not solver.hasSolution():
    print("s UNSATISFIABLE" if state == "UNSAT" else "s UNKNOWN")
else:
    proven = objective and state in ("UNSAT", "INCONSISTENT")
    if objective:
        print("o", solver.getBestSoFar())
    print("s", "OPTIMUM FOUND" if proven else "SATISFIABLE")
    values = solver.getLastSolutionFor(list(known))
    print("v", *(name if value else "-" + name for name, value in zip(known, values)))
