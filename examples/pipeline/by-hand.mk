# The three steps for one board, with a solver that is run by hand:
#
#   make -f by-hand.mk SOLVER=kissat
#
# SOLVER takes a formula, prints `s` and `v` lines and exits with 10 or 20, as the competitions want it.

REBUS = rebus
SOLVER = $(REBUS) sat
MODELS = ..

.DELETE_ON_ERROR:

all: hand/hard-1.txt
	@cat $<

# 1. compile: the formula and hand/hard-1.cnf.map
hand/hard-1.cnf: $(MODELS)/sudoku/sudoku.rebus boards/sudoku/hard-1.clues
	@mkdir -p $(@D)
	$(REBUS) compile $^ -o $@

# 2. solve
hand/hard-1.answer: hand/hard-1.cnf
	$(SOLVER) $< > $@; case $$? in 10 | 20) ;; *) exit 1 ;; esac

# 3. decode: the answer checked against the formula and against every rule, then drawn
hand/hard-1.txt: hand/hard-1.answer hand/hard-1.cnf
	$(REBUS) decode hand/hard-1.cnf.map $< --formula hand/hard-1.cnf > $@

.PHONY: all
