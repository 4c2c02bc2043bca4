#!/usr/bin/env python3
"""Joins record files of one sweep. Needs nothing but Python. See --help."""

import sys

from cfdmark_merge.command import main

if __name__ == "__main__":
    sys.exit(main())
