"""`python -m graphflow_cli` is the command `graphflow`."""

import os
import sys

from graphflow_cli import find_graphflow

os.execv(find_graphflow(), ["graphflow", *sys.argv[1:]])
