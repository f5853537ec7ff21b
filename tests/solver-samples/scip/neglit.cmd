scip_opb in.opb
