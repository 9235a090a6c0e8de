"""Client of Steppe, a geodata service for land agencies."""

from .client import AuthenticatedClient, Client
from .steppe import SteppeError, connect, request_key, settled_dataset, settled_run, upload_file

__all__ = (
    "AuthenticatedClient",
    "Client",
    "SteppeError",
    "connect",
    "request_key",
    "settled_dataset",
    "settled_run",
    "upload_file",
)
