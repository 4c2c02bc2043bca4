"""Trials of the whole program as a hostile user has it: see tests/trials/run --help."""
