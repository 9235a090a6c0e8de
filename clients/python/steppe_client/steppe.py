"""What the generated operations of the client leave to their user: errors, patience, waiting and large files."""

from __future__ import annotations

import base64
import json
import time
import uuid
from pathlib import Path
from typing import Any, BinaryIO, Callable, TypeVar

import httpx

from .client import AuthenticatedClient, Client
from .models import Dataset, LandscapeRun

__all__ = [
    "SteppeError",
    "connect",
    "request_key",
    "settled_dataset",
    "settled_run",
    "upload_file",
]

AnyClient = Client | AuthenticatedClient
Answer = TypeVar("Answer")

_SETTLED = {"awaiting_mapping", "ready", "failed"}
_BUSY = {429, 503}
_MIB = 1024 * 1024
_TUS = {"Tus-Resumable": "1.0.0"}
_MOST_TRIES = 8
_WAIT_SECONDS = 25


class SteppeError(Exception):
    """What the service refused, what failed there, or what could not be waited for; the message is that of the service."""

    def __init__(
        self,
        message: str,
        status: int | None = None,
        fields: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        #: Of the answer; None where there was none.
        self.status = status
        #: A message for each field that is wrong, where fields are to blame.
        self.fields = fields or {}


def connect(
    base_url: str,
    token: str | None = None,
    patience_seconds: float = 600,
    **httpx_arguments: Any,
) -> AnyClient:
    """Creates the client that every operation takes as ``client``.

    What the service refuses is raised as ``SteppeError``. A request without a body that is answered with ``Retry-After`` is sent again after that
    time: 429 and 503, and 202 of what is still being counted. The functions ``asyncio`` and ``asyncio_detailed`` of operations do neither.
    """
    url = base_url.rstrip("/")
    client: AnyClient = Client(url) if token is None else AuthenticatedClient(url, token)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    arguments: dict[str, Any] = {"timeout": 90.0, **httpx_arguments}
    transport = arguments.pop("transport", None) or httpx.HTTPTransport()
    client.set_httpx_client(
        httpx.Client(
            base_url=url,
            headers=headers,
            transport=_PatientTransport(transport, patience_seconds),
            event_hooks={"response": [_raise_refusal]},
            **arguments,
        )
    )
    return client


class _PatientTransport(httpx.BaseTransport):
    def __init__(self, inner: httpx.BaseTransport, patience_seconds: float) -> None:
        self._inner = inner
        self._patience_seconds = patience_seconds

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        deadline = time.monotonic() + self._patience_seconds
        while True:
            response = self._inner.handle_request(request)
            seconds = _retry_after(response)
            waits = response.status_code == 202 or response.status_code in _BUSY
            if request.method not in ("GET", "HEAD") or not waits or seconds is None:
                return response
            if time.monotonic() + seconds > deadline:
                return response
            response.close()
            time.sleep(seconds)

    def close(self) -> None:
        self._inner.close()


def _retry_after(response: httpx.Response) -> float | None:
    try:
        return max(0.0, float(response.headers.get("Retry-After", "")))
    except ValueError:
        return None


def _raise_refusal(response: httpx.Response) -> None:
    if response.status_code < 400:
        return
    response.read()
    try:
        body = response.json()
    except ValueError:
        body = {}
    fields = body.get("errors") if isinstance(body, dict) else None
    if isinstance(fields, dict):
        message = "; ".join(f"{name}: {text}" for name, text in fields.items())
        raise SteppeError(message, response.status_code, fields)
    said = body.get("error") if isinstance(body, dict) else None
    raise SteppeError(
        said or f"the service answered {response.status_code}", response.status_code
    )


def settled_dataset(client: AnyClient, dataset_id: str | uuid.UUID, seconds: float = 3600) -> Dataset:
    """Waits by long polls until a dataset is ready, or waits for its mapping, and returns it.

    Raises ``SteppeError`` with the reason when it has failed, or when it takes longer.
    """
    http = client.get_httpx_client()
    deadline = time.monotonic() + seconds
    state = http.get(f"/datasets/{dataset_id}/status").json()
    while state["status"] not in _SETTLED:
        if time.monotonic() > deadline:
            raise SteppeError(f"dataset {dataset_id} is still {state['status']}")
        query = {"current": state["status"], "wait": _WAIT_SECONDS}
        state = http.get(f"/datasets/{dataset_id}/status", params=query).json()
    if state["status"] == "failed":
        raise SteppeError(state["parse_error"] or f"dataset {dataset_id} has failed")
    return Dataset.from_dict(http.get(f"/datasets/{dataset_id}").json())


def settled_run(client: AnyClient, run_id: str | uuid.UUID, seconds: float = 86_400) -> LandscapeRun:
    """Waits until a run has ended, and returns it with its nodes.

    Raises ``SteppeError`` with the reason when it has failed, or when it takes longer.
    """
    deadline = time.monotonic() + seconds
    while True:
        run = client.get_httpx_client().get(f"/landscape/runs/{run_id}").json()
        if run["status"] == "failed":
            raise SteppeError(run["error"] or f"run {run_id} has failed")
        if run["status"] == "succeeded":
            return LandscapeRun.from_dict(run)
        if time.monotonic() > deadline:
            raise SteppeError(f"run {run_id} is still {run['status']}")
        time.sleep(1)


def upload_file(
    client: AnyClient,
    path: str | Path,
    *,
    filename: str | None = None,
    pieces_from_bytes: int = 64 * _MIB,
    piece_bytes: int = 16 * _MIB,
    **details: Any,
) -> Dataset:
    """Sends a file and returns the dataset that it becomes, which is processed in the background: see ``settled_dataset``.

    ``details`` are the parts of ``POST /datasets`` (``file_type``, ``category_id``, ``name``, ``meta``, ...), or ``slot``, the code of a slot of
    the Landscape Program, with ``name``, ``start_date`` and ``end_date``. Files of more than ``pieces_from_bytes`` are sent in pieces, and go on where
    they were when a connection breaks.
    """
    path = Path(path)
    named = filename or path.name
    fields = {name: _text_of(value) for name, value in details.items() if value is not None}
    with path.open("rb") as file:
        if path.stat().st_size > pieces_from_bytes:
            return _send_in_pieces(client, file, path.stat().st_size, {"filename": named, **fields}, piece_bytes)
        slot = fields.pop("slot", None)
        address = "/datasets" if slot is None else f"/landscape/slots/{slot}"
        # The service makes it once, whatever is lost between: the same key is answered as it was.
        headers = {"Idempotency-Key": request_key()}

        def send() -> Dataset:
            file.seek(0)
            form = {"file": (named, file)}
            answer = client.get_httpx_client().post(address, data=fields, files=form, headers=headers)
            return Dataset.from_dict(answer.json())

        return _persistently(send)


def request_key() -> str:
    """Returns a new ``Idempotency-Key``: with it a request that is sent again makes what it makes once."""
    return f'"{uuid.uuid4()}"'


def _send_in_pieces(
    client: AnyClient, file: BinaryIO, length: int, fields: dict[str, str], piece_bytes: int
) -> Dataset:
    """Sends a file by tus 1.0."""
    http = client.get_httpx_client()
    metadata = ",".join(
        f"{name} {base64.b64encode(value.encode()).decode()}".strip() for name, value in fields.items()
    )
    start = {**_TUS, "Upload-Length": str(length), "Upload-Metadata": metadata}
    address = "/uploads/" + http.post("/uploads", headers=start).json()["id"]
    received = 0

    def state() -> dict[str, Any]:
        return http.get(address, headers=_TUS).json()

    def send() -> int:
        nonlocal received
        file.seek(received)
        headers = {
            **_TUS,
            "Content-Type": "application/offset+octet-stream",
            "Upload-Offset": str(received),
        }
        try:
            answer = http.patch(address, content=file.read(piece_bytes), headers=headers)
            return int(answer.headers["Upload-Offset"])
        except (SteppeError, httpx.TransportError):
            # What has come of a request that broke off counts.
            received = state()["received"]
            if received == length:
                return received
            raise

    while received < length:
        received = _persistently(send)
    while True:
        dataset_id = state()["dataset_id"]
        if dataset_id is not None:
            return Dataset.from_dict(http.get(f"/datasets/{dataset_id}").json())
        time.sleep(1)


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)


def _persistently(make: Callable[[], Answer]) -> Answer:
    """Tries again what a broken connection or a busy service has ended, with growing pauses."""
    for tries in range(1, _MOST_TRIES + 1):
        try:
            return make()
        except (SteppeError, httpx.TransportError) as error:
            passing = isinstance(error, httpx.TransportError) or error.status in _BUSY
            if not passing or tries == _MOST_TRIES:
                raise
            time.sleep(min(0.25 * 2**tries, 15))
    raise AssertionError
