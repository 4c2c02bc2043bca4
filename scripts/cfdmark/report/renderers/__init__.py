"""One module for each format; each turns sections into text."""
