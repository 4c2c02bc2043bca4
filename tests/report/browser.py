"""Headless Chromium, driven over WebDriver on the loopback device with the standard library alone."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the standard's name for a reference to one
QUIET = [
    "--headless",
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--force-prefers-reduced-motion",
]


def found(*names: str) -> str:
    return next((path for name in names if (path := shutil.which(name))), "")


def require() -> None:
    """Skips the tests of a machine that lacks the browser or its driver."""
    missing = [name for name, path in (("chromium", found(*BROWSERS)), ("chromedriver", found("chromedriver"))) if not path]
    if missing:
        raise unittest.SkipTest(f"no {' and no '.join(missing)} here (Debian: chromium, chromium-driver)")


class Refused(Exception):
    """In the driver's words."""


class Browser:
    """A window of `width` pixels on a screen of that size, as a telephone has it where it is narrow. Closed by close()."""

    def __init__(self, width: int, height: int = 844):
        self.folder, port = tempfile.mkdtemp(prefix="cfdmark-browser-"), free_port()
        command = [found("chromedriver"), f"--port={port}", "--allowed-ips=127.0.0.1"]
        self.driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base, self.session = f"http://127.0.0.1:{port}", ""
        try:
            self.wait_for_driver()
            self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": self.wishes(width, height)}})["sessionId"]
        except BaseException:
            self.close()
            raise

    def wishes(self, width: int, height: int) -> dict:
        options = {"binary": found(*BROWSERS), "args": [*QUIET, f"--user-data-dir={self.folder}", f"--window-size={width},{height}"]}
        if width < 500:  # no window is narrower; a telephone is
            metrics = {"width": width, "height": height, "pixelRatio": 2, "touch": True, "mobile": True}
            options["mobileEmulation"] = {"deviceMetrics": metrics}
        return {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}

    def wait_for_driver(self) -> None:
        for _ in range(200):
            try:
                if self.call("GET", "/status")["ready"]:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise unittest.SkipTest("chromedriver does not answer")

    def call(self, method: str, path: str, body: dict | None = None):
        """The value of the answer. Raises Refused."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as refused:
            raise Refused(json.load(refused)["value"]["message"].splitlines()[0]) from None

    def ask(self, method: str, path: str, body: dict | None = None):
        return self.call(method, f"/session/{self.session}/{path}", body)

    def open(self, page: Path) -> None:
        self.ask("POST", "url", {"url": page.resolve().as_uri()})

    def run(self, script: str, *arguments):
        """What the body of a function returns, within the page."""
        return self.ask("POST", "execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector: str) -> dict:
        return self.ask("POST", "element", {"using": "css selector", "value": selector})

    def click(self, selector: str) -> None:
        self.ask("POST", f"element/{self.find(selector)[ELEMENT]}/click", {})

    def type(self, selector: str, text: str) -> None:
        self.ask("POST", f"element/{self.find(selector)[ELEMENT]}/value", {"text": text})

    def press(self, key: str) -> None:
        self.keys([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}])

    def keys(self, actions: list[dict]) -> None:
        self.ask("POST", "actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def point_at(self, x: float, y: float, kind: str = "mouse") -> None:
        """Rests the mouse on a place of the window, or taps it with a finger."""
        actions = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}]
        if kind == "touch":
            actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        pointer = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}
        self.ask("POST", "actions", {"actions": [pointer]})

    def middle(self, selector: str) -> tuple[float, float]:
        """Of the first such element, brought into the window."""
        return tuple(
            self.run(
                "const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center', behavior: 'instant'});"
                "const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2];",
                selector,
            )
        )

    def devtools(self, command: str, **parameters):
        return self.ask("POST", "goog/cdp/execute", {"cmd": command, "params": parameters})

    def complaints(self) -> list[str]:
        """What the browser's console says."""
        return [entry["message"] for entry in self.ask("POST", "se/log", {"type": "browser"})]

    def close(self) -> None:
        try:
            if self.session:
                self.call("DELETE", f"/session/{self.session}")
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
