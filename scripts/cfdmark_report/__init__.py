"""The report of cfdmark: reads record files, computes tables and figures, writes them in several formats.

Direction of imports: records, statistics <- model, wording, select <- baseline <- sections <- renderers, plots.
"""
