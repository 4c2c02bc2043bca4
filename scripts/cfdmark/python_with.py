"""Finds a Python that has the packages a command needs: `python3` need not be the distribution's."""

import importlib.util
import os
import sys

DISTRIBUTION_PYTHON = "/usr/bin/python3"
RETRIED = "CFDMARK_PYTHON_RETRIED"


def is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the package that a.b is in
        return False


def ensure_modules(*names: str) -> None:
    """Returns if all modules can be imported. Otherwise restarts under the distribution's Python, or exits.
    """
    missing = [name for name in names if not is_installed(name)]
    if not missing:
        return
    if os.path.exists(DISTRIBUTION_PYTHON) and RETRIED not in os.environ:
        os.environ[RETRIED] = "1"
        os.execv(DISTRIBUTION_PYTHON, [DISTRIBUTION_PYTHON, *sys.argv])
    packages = " ".join(f"python3-{name}" for name in missing)
    sys.exit(
        f"cfdmark: {sys.executable} lacks {', '.join(missing)}; on Debian and Ubuntu: apt install"
        f" {packages}"
    )
