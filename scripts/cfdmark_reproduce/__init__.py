"""Published experiments measured again: compares records with what was published, and writes a page of each.

An experiment is three files: results/published/ID.yaml says what was published, sweeps/reproduce/ID.yaml which
cases measure it here, a module of experiments/ how the two are compared. Reading records and making tables,
figures and pages are cfdmark_report's.

Direction of imports: verdict, documents <- measured <- comparison <- experiments <- page, index <- command.
"""
