#!/usr/bin/env python3
"""Shows a comparison in the formats of CI; `cfdmark compare --format` calls it. Needs nothing but Python."""

import sys

from cfdmark_export.command import comparison_main

if __name__ == "__main__":
    sys.exit(comparison_main())
