"""A rolling limit for a sandbox: a number of operations in a minute; refusals say when to come back.

graphflow knows that Graph counts an hour, and waits for so long if it has to guess. A trial cannot, so
this limit announces a minute. It is set by the sandbox's control interface, from what the ledger shows.
"""

import collections
import json
import threading
import time


class Limiter(threading.Thread):
    """Switches refusals on while more than `limit` operations have been granted in a minute."""

    WINDOW = 60

    def __init__(self, sandbox, ledger, limit):
        super().__init__(daemon=True)
        self.sandbox, self.ledger, self.limit = sandbox, ledger, limit
        self.granted = self.hits = 0
        self.is_ended = threading.Event()

    def run(self):
        recent, count, is_on = collections.deque(), 0, False
        with open(self.ledger, encoding="utf-8") as file:
            rest = ""
            while not self.is_ended.wait(0.2):
                *lines, rest = (rest + file.read()).split("\n")
                new = sum(operation["code"] == 200 for line in lines
                          for operation in json.loads(line)["operations"])
                now = time.monotonic()
                recent.append((now, new))
                count += new
                self.granted += new
                while recent[0][0] < now - self.WINDOW:
                    count -= recent.popleft()[1]
                if (count >= self.limit) != is_on and (not is_on or count < 0.9 * self.limit):
                    is_on = not is_on
                    self.hits += is_on
                    self.sandbox.fault("throttle", on=is_on)
