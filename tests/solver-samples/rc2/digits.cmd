rc2.py -vv --vnew in.wcnf
