"""Pictures of what `cfdmark solve --plot` found."""
