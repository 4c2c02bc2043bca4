#!/usr/bin/env python3
"""Makes the report from record files: terminal tables, Markdown, CSV, LaTeX and one HTML page. See --help."""

import sys

from cfdmark_report.command import main

if __name__ == "__main__":
    sys.exit(main())
