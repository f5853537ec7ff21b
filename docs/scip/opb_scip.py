#!/usr/bin/env python3
"""Reads a pseudo-Boolean formula, answers in the competitions' form."""

import sys

from pyscipopt import Model

model = Model()
model.hideOutput()
model.readProblem(sys.argv[1])
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
