"""The report of cfdmark: reads record files, computes tables and figures, writes them in several formats.

Direction of imports: quantity <- records, model <- statistics, select <- baseline <- sections, drawing
<- renderers <- command.
"""
