"""Trials of the whole program under hostile conditions: see tests/trials/run --help."""
