"""The process the emulator runs in: `python -m anamnesis_tools.stack.emulator_host [--die-with-parent]`.

Settings reach it by environment variables only, which is how MiniStack takes them. With ``--die-with-parent`` it ends
when its standard input does: the parent holds the other end of that pipe and the system closes it however the parent
goes, killed included. A signal from the system would not do: it comes when the thread ends that started us, not the
process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

#: How long the emulator may take to save its state after SIGTERM.
SHUTDOWN_SECONDS = 30.0


def _end_with_parent() -> None:
    """Wait for the end of standard input, then end this process group, politely first."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(SHUTDOWN_SECONDS)
    os.killpg(os.getpgid(0), signal.SIGKILL)


def main() -> None:
    """Run the emulator until it is told to end."""
    if "--die-with-parent" in sys.argv[1:]:
        sys.argv.remove("--die-with-parent")
        threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()
    from ministack.app import main as serve

    serve()


if __name__ == "__main__":
    main()
