"""Reads the published tables and figures kept in results/published (its README.md describes the files)."""
