"""Published experiments measured again: compares records with what was published, and writes a page of each.

An experiment is two files: results/published/ID.yaml says what was published and, under `here`, how it is
compared (plan_schema.py reads it), sweeps/reproduce/ID.yaml which cases measure it. A module of experiments/
adds what is too odd for that. Reading records and making tables, figures and pages are cfdmark.report's.

Direction of imports: verdict, expressions, measured <- measures <- plan <- plan_schema <- documents
<- comparison <- experiments, page, index <- command.
"""
