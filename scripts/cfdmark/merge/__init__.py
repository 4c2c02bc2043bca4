"""Joins record files of one sweep: nothing is lost, and the order of the files does not matter.

Direction of imports: blocks <- agreement, completeness <- command.
"""
