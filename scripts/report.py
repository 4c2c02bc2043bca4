#!/usr/bin/env python3
"""Makes the report from record files: terminal tables, Markdown, CSV, LaTeX and one HTML page. See --help."""

import sys

from python_with import ensure_modules

if __name__ == "__main__":
    ensure_modules("numpy", "matplotlib", "jinja2")
    from cfdmark_report.command import main

    sys.exit(main())
