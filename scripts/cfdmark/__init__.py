"""cfdmark in Python: reports, comparisons with published figures, histories, exports, meshes and the site.

Direction of imports: text, places <- output, records <- program, stats <- report <- published, reproduce,
foreign,
history, merge, export, plot, publish, meshes <- commands.
"""
