"""One static site of all that results/ holds. Tables, figures and pages are those of the report, the reproduction and
the history; what is made here is the index, the page of layouts and the tables of the devices' READMEs.

Direction of imports: found <- layouts, readme, index <- pages <- command.
"""
