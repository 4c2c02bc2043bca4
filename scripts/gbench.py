#!/usr/bin/env python3
"""Writes records as Google Benchmark writes its own; `cfdmark run` and `compare` call it. Needs nothing but Python."""

import sys

from cfdmark_export.command import gbench_main

if __name__ == "__main__":
    sys.exit(gbench_main())
