#!/usr/bin/env python3
"""The constraint integer solver SCIP as a program for pseudo-Boolean formulas, through the Python package pyscipopt: reads
a formula, answers in the competitions' form.

    pip install pyscipopt
    cp scip_opb.py ~/bin/scip_opb; chmod +x ~/bin/scip_opb
    rebus solve m.rebus --solver scip

SCIP calculates with floating-point numbers, to a millionth. A formula with greater numbers is left alone; a model is
checked by rebus, the word that there is none, or none better, is not.
"""

import re
import sys

from pyscipopt import Model

# numbers beyond it are no longer told apart
MOST = 100_000

args = sys.argv[1:]
model = Model()
model.hideOutput()
if args[:1] == ["--time"]:
    model.setParam("limits/time", float(args[1]))
    args = args[2:]
with open(args[0]) as lines:
    rows = [line for line in lines if not line.startswith("*")]
numbers = [abs(int(number)) for row in rows for number in re.findall(r"(?<![x0-9])\d+", row)]
if max(numbers, default=0) > MOST:
    print("c a number is too great for calculating with floating-point numbers")
    print("s UNKNOWN")
    sys.exit()
if not rows:
    print("s SATISFIABLE\nv")
    sys.exit()
model.readProblem(args[0], "opb")
has_objective = any(variable.getObj() for variable in model.getVars())
model.optimize()
if model.getNSols():
    best = model.getBestSol()
    if has_objective:
        print("o", round(model.getObjVal()))
    proven = has_objective and model.getStatus() == "optimal"
    print("s", "OPTIMUM FOUND" if proven else "SATISFIABLE")
    named = [variable for variable in model.getVars() if variable.name.startswith("x")]
    print("v", " ".join(("" if model.getSolVal(best, v) > 0.5 else "-") + v.name for v in named))
elif model.getStatus() == "infeasible":
    print("s UNSATISFIABLE")
else:
    print("s UNKNOWN")
