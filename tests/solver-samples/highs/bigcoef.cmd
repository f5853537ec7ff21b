highs_opb in.opb
