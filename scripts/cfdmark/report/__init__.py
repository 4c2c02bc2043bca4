"""The report of cfdmark: computes tables and figures from records and writes them in several formats.

Direction of imports: model <- baseline <- sections, drawing <- renderers <- command.
"""
