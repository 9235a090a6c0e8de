"""Asks the service as a patient map does."""

import io
import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass

import numpy as np
from PIL import Image

PATIENCE_SECONDS = 120


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)


def ask(url):
    """Answers with 200; asks again as long as the service says when to. Any other status ends the program."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                return Answer(answer.status, dict(answer.headers), answer.read())
        except urllib.error.HTTPError as error:
            wait = error.headers.get("Retry-After")
            if error.code != 503 or wait is None or time.monotonic() > deadline:
                raise RuntimeError(f"{url} answers {error.code}: {error.read()[:300]}") from error
            time.sleep(min(int(wait), 2))


def tile_of(url, size):
    """The pixels of a tile, red, green, blue and alpha; what is transparent is all zero."""
    answer = ask(url)
    image = Image.open(io.BytesIO(answer.body))
    if image.format != "PNG" or image.size != (size, size):
        raise RuntimeError(f"{url} is {image.format} of {image.size}")
    pixels = np.array(image.convert("RGBA")).astype(int)
    pixels[pixels[..., 3] == 0] = 0
    return pixels
