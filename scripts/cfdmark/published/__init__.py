"""Reads the published tables and figures in results/published (its README.md describes the files)."""
