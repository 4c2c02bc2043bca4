#!/usr/bin/env python3
"""Makes the page of tuned layouts; `cfdmark tune layouts --page` calls it."""

import sys

from python_with import ensure_modules

if __name__ == "__main__":
    ensure_modules("numpy", "matplotlib", "jinja2")
    from cfdmark_site.layouts_page import main

    sys.exit(main())
