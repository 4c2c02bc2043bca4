#!/usr/bin/env python3
"""Shows and exports tuned layouts; `cfdmark tune layouts` calls it. Needs nothing but Python."""

import sys

from cfdmark_export.command import layouts_main

if __name__ == "__main__":
    sys.exit(layouts_main())
