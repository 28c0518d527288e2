"""A real Chromium driven over its debugging pipe: open pages, click, draw and take screenshots.

It only needs Chromium (Debian: apt-get install chromium).
"""

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import time

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]
FLAGS += ["--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"]
SECONDS = 120  # longer than any call on a busy machine


@contextlib.contextmanager
def browser(profile):
    """Start Chromium with a new profile and yield its first tab."""
    to_child, ours_out = (_high(end) for end in os.pipe())
    ours_in, from_child = (_high(end) for end in os.pipe())
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    words = ["bash", "-c", f'exec "$@" 3<&{to_child} 4>&{from_child}', "bash", *command]
    process = subprocess.Popen(words, pass_fds=(to_child, from_child), stderr=subprocess.DEVNULL)
    os.close(to_child)
    os.close(from_child)
    try:
        yield Tab(ours_out, ours_in)
    finally:
        process.kill()
        process.wait()
        os.close(ours_out)
        os.close(ours_in)


def _high(descriptor):
    """Move a descriptor away from 3 and 4, which Chromium reads and writes."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(descriptor)
    return moved


class Tab:
    def __init__(self, out, into):
        self.out, self.into, self.rest, self.asked, self.session, self.events = out, into, b"", 0, None, []
        target = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """Call a method of Chromium and return its answer; events in the meantime are kept in `events`."""
        self.asked += 1
        message = {"id": self.asked, "method": method, "params": parameters}
        message |= {"sessionId": self.session} if self.session else {}
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self.asked:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def _next(self):
        while b"\0" not in self.rest:
            assert select.select([self.into], [], [], SECONDS)[0], "Chromium does not answer"
            self.rest += os.read(self.into, 1 << 20)
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def evaluate(self, expression):
        """Return the value of an expression, or of its promise."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def open(self, address, width, height, dark=False, ready="document.readyState === 'complete'"):
        """Open a page in a window of this size and wait until the expression `ready` is true."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=address)
        self.wait_for(f"location.href === {json.dumps(address)} && document.body && ({ready})")

    def wait_for(self, expression):
        end = time.monotonic() + SECONDS
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"waited for {expression}"
            time.sleep(0.05)

    def mouse(self, kind, x, y):
        button = {"button": "left", "buttons": 0 if kind == "mouseReleased" else 1, "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)

    def draw(self, points):
        """Press the mouse button, move along the points and release it."""
        self.mouse("mousePressed", *points[0])
        for point in points[1:]:
            self.mouse("mouseMoved", *point)
        self.mouse("mouseReleased", *points[-1])

    def key(self, key, code=None, text=""):
        for kind in ("keyDown", "keyUp"):
            words = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, **words)

    def box(self, selector):
        """Return (left, top, width, height) of an element in the window, scrolled into view."""
        words = "(e => (e.scrollIntoView({block: 'center'}), e = e.getBoundingClientRect(), "
        return self.evaluate(f"{words}[e.left, e.top, e.width, e.height]))(document.querySelector('{selector}'))")

    def photograph(self, path, whole=True):
        """Save a screenshot of the whole page or of the window."""
        options = {"captureBeyondViewport": True} if whole else {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **options)["data"]))

    def complaints(self):
        """Return the console messages of the page and the violations of its content policy."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [event for event in self.events if event.get("method") in kinds]

    def requests(self):
        """Return the requested addresses."""
        asked = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in asked]
