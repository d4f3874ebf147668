"""A client of Palmares; needs only Python 3.9 or newer.

    python3 palmares.py http://localhost:8080 KEY send invites ada invite grace
    python3 palmares.py http://localhost:8080 KEY follow invites
"""
import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid


class Palmares:
    def __init__(self, url, key):
        self.url, self.headers = url, {"Authorization": "Bearer " + key}

    def send(self, events, tries=10):
        """Returns the outcome of each event. It may be sent again: its id makes it count once."""
        body = json.dumps(events).encode()
        for attempt in range(1, tries + 1):
            pause = random.uniform(0, min(30, 0.1 * 2**attempt))  # so that senders spread
            try:
                with self._open("/api/v1/events", body) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if attempt == tries or error.code not in (408, 429, 500, 502, 503, 504):
                    raise RuntimeError(error.read().decode()) from error
                pause = max(pause, float(error.headers.get("Retry-After", 0)))
            except OSError:  # no answer: the events may have been taken, or not
                if attempt == tries:
                    raise
            time.sleep(pause)

    def follow(self, board, count=10):
        """Yields the top of the current period at each change, until the period is sealed."""
        period = None
        while True:
            try:
                path = f"/api/v1/boards/{board}/periods/{period or 'current'}/stream?count={count}"
                with self._open(path) as stream:
                    for line in stream:
                        if line.startswith(b"data:"):
                            top = json.loads(line[5:])
                            period = top["period"]
                            yield top
                            if top["state"] != "open":
                                return
            except urllib.error.HTTPError as error:
                if error.code not in (429, 500, 502, 503, 504):
                    raise RuntimeError(error.read().decode()) from error
            except OSError:
                pass
            time.sleep(1)  # a stream ends after 15 minutes

    def _open(self, path, body=None):
        headers = self.headers | ({"Content-Type": "application/json"} if body else {})
        return urllib.request.urlopen(
            urllib.request.Request(self.url + path, body, headers), timeout=30)


if __name__ == "__main__":
    url, key, verb, board, *rest = sys.argv[1:]
    client = Palmares(url, key)
    if verb == "send":
        member, action, *subject = rest
        event = {"id": str(uuid.uuid4()), "board": board, "member": member, "action": action}
        if subject:
            event["subject"] = subject[0]
        print(client.send([event])[0]["outcome"])
    else:
        for top in client.follow(board):
            print(*(f"{line['member']} {line['points']}" for line in top["lines"]), sep=", ", flush=True)
