rc2.py -vv missing.wcnf
