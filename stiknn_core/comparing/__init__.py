"""How far two results agree, all k in one ranking, and how sure an entry is."""
