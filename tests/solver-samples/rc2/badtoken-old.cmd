rc2.py -vv in.wcnf
