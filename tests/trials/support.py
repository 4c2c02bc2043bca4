"""What the tests of the trials share."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", ROOT / "build/release/cfdmark"))
sys.path.insert(0, str(ROOT / "scripts"))
