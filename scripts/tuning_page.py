#!/usr/bin/env python3
"""Makes one HTML page of the spaces that cfdmark tune has recorded. See --help."""

import sys

from python_with import ensure_modules

if __name__ == "__main__":
    ensure_modules("numpy", "matplotlib", "jinja2")
    from cfdmark_report.tuning.command import main

    sys.exit(main())
