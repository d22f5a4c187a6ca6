"""`python -m stiknn_command` is `stiknn`."""

import signal
import sys


def run() -> int:
    """Run the command; Ctrl-C while it is still being imported ends it without a traceback."""
    ours = (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )  # else nohup's, or a shell's
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from stiknn_command.main import main

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


if __name__ == "__main__":
    sys.exit(run())
