"""One module a format: each turns sections into text."""
