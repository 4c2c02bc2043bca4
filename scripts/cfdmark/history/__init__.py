"""The history of cfdmark: keeps the cases of many commits, shows them over time, finds where they changed.

Direction of imports: point <- store <- timeline <- change_points, changes <- tables, page <- command.
Records, tables, figures and their rendering are the report's (cfdmark.report).
"""
