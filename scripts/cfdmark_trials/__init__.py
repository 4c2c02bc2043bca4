"""Trials of the whole program as a hostile user has it: see scripts/trials --help."""
