"""Reads, checks and selects the records that `cfdmark run` writes."""
