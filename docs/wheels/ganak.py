#!/usr/bin/env python3
"""The model counter ganak as a program, through the Python package pyganak: reads a formula as the Model Counting
Competition has it, answers in its form.

    pip install pyganak
    cp ganak.py ~/bin/ganak; chmod +x ~/bin/ganak
    rebus count queens -D n=8 --solver ganak
"""

import argparse

import pyganak

options = argparse.ArgumentParser()
options.add_argument("--verb", type=int, default=0)
options.add_argument("--seed", type=int, default=0)
# the package has no such choice: parts of a formula whose hashes are equal are taken for equal
options.add_argument("--prob", type=int, default=1)
options.add_argument("formula")
options = options.parse_args()

shown = None
numbers = []
variables = 0
with open(options.formula) as lines:
    for line in lines:
        match line.split():
            case ["c", "p", "show", *literals]:
                shown = (shown or []) + [int(literal) for literal in literals if literal != "0"]
            case ["p", "cnf", count, _]:
                variables = int(count)
            case [first, *_] as words if first != "c":
                numbers += map(int, words)

counter = pyganak.Counter(verbose=options.verb, seed=options.seed)
counter.new_vars(variables)
clause = []
for number in numbers:
    if number:
        clause.append(number)
    else:
        counter.add_clause(clause)
        clause = []
if shown is not None:
    counter.set_sampling_set(shown)
count = counter.count()
print("s", "SATISFIABLE" if count else "UNSATISFIABLE")
print("c s type", "mc" if shown is None else "pmc")
print("c s exact arb int", count)
