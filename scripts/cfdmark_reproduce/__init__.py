"""Published experiments measured again: picks records, compares them with what was published, writes a page of each.

An experiment is three files of one name: results/published/ID.yaml says what was published, sweeps/reproduce/ID.yaml
which cases measure it here, experiments/ how the two are compared. Reading records, tables, figures and pages are
cfdmark_report's.

Direction of imports: verdict, documents <- measured <- comparison <- experiments <- page, index <- command.
"""
