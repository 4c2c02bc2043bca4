#!/usr/bin/env python3
"""Exports recorded spaces; `cfdmark tune space` calls it. Needs nothing but Python."""

import sys

from cfdmark_export.command import spaces_main

if __name__ == "__main__":
    sys.exit(spaces_main())
