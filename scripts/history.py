#!/usr/bin/env python3
"""Remembers measured cases commit by commit, shows them and finds where they changed. See --help."""

import sys

from python_with import ensure_modules

if __name__ == "__main__":
    ensure_modules("numpy", "matplotlib", "jinja2")
    from cfdmark_history.command import main

    sys.exit(main())
