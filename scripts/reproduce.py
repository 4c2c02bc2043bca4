#!/usr/bin/env python3
"""Compares records with what was published: tables, and a page for each experiment. See --help."""

import sys

from python_with import ensure_modules

if __name__ == "__main__":
    ensure_modules("numpy", "matplotlib", "jinja2", "yaml")
    from cfdmark_reproduce.command import main

    sys.exit(main())
