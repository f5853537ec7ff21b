clasp --quiet=0 --models=0 in.opb
