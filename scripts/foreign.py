#!/usr/bin/env python3
"""Others' benchmarks as records; `cfdmark compare` calls it. Needs nothing but Python."""

import sys

from cfdmark_foreign.command import main

if __name__ == "__main__":
    sys.exit(main())
