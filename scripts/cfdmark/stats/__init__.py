"""Medians, ratios and their intervals."""
