"""Others' benchmarks: what Google Benchmark and nvbench write as JSON, read once for histories and comparisons."""
