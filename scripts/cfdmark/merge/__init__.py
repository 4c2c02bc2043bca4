"""Joins record files of one sweep: nothing lost, in an order that does not depend on the order of the files.

Direction of imports: blocks <- agreement, completeness <- command. How lines are checked is the report's
(cfdmark.records).
"""
