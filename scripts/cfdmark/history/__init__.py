"""Performance history: keeps the cases of many commits, shows them over time, and finds changes.

Direction of imports: point <- store <- timeline <- change_points, changes <- tables, page <- command.
"""
