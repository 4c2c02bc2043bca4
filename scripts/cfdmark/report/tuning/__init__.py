"""The page of recorded tuning spaces."""
