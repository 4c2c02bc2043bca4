"""Published experiments, measured again: compares records with published values and writes a page for each.

An experiment is two files: results/published/ID.yaml has the published values and, under `here`, the plan of
the comparison (plan_schema.py reads it); sweeps/reproduce/ID.yaml has the cases that measure it. A module of
experiments/ adds what the plan cannot express.

Direction of imports: verdict, expressions, measured <- measures <- plan <- plan_schema <- documents
<- comparison <- experiments, page, index <- command.
"""
