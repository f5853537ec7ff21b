pumpkin-solver in.cnf
