"""What was measured and tuned, for other programs: tables, CSV, JSON, a C++ header, formats of other tools.

cfdmark hands over what it has read as JSON on standard input. Direction of imports: layouts, header, formats,
gbench, comparison <- command.
"""
