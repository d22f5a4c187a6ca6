"""`python -m stiknn_command` is `stiknn`."""

import sys

from stiknn_command.main import main

sys.exit(main())
