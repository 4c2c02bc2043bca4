"""One static site of all results: pages of the report, the reproduction and the history, an index, the
layouts, and the tables of the devices' READMEs.

Direction of imports: found <- layouts, readme, index <- pages <- command.
"""
