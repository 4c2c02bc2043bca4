#!/usr/bin/env python3
"""Checks and lists the published tables and figures in results/published. See --help."""

import sys

from python_with import ensure_modules

if __name__ == "__main__":
    ensure_modules("yaml")
    from cfdmark_published.command import main

    sys.exit(main())
