"""Exports of measurements and tuned layouts: tables, CSV, JSON, a C++ header, formats of other tools.

cfdmark passes the data as JSON on standard input. Direction of imports: layouts, header, formats, gbench,
comparison
<- command.
"""
