"""Finds a Python that has the packages a script needs: often `python3` is not the one that apt's packages serve."""

import importlib.util
import os
import sys

DISTRIBUTION_PYTHON = "/usr/bin/python3"
RETRIED = "CFDMARK_PYTHON_RETRIED"


def ensure_modules(*names: str) -> None:
    """Returns if all can be imported; else starts the script anew under the distribution's Python, or says what to install."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if not missing:
        return
    if os.path.exists(DISTRIBUTION_PYTHON) and RETRIED not in os.environ:
        os.environ[RETRIED] = "1"
        os.execv(DISTRIBUTION_PYTHON, [DISTRIBUTION_PYTHON, *sys.argv])
    packages = " ".join(f"python3-{name}" for name in missing)
    sys.exit(
        f"{sys.argv[0]}: {sys.executable} lacks {', '.join(missing)}; on Debian and Ubuntu: apt install {packages}"
    )
