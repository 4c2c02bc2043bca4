"""Results of other programs: reads the JSON of Google Benchmark and nvbench for histories and comparisons."""
