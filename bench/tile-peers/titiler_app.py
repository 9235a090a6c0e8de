"""TiTiler as its documentation has it: one factory of tiles for COGs."""

from fastapi import FastAPI
from titiler.core.factory import TilerFactory

app = FastAPI()
app.include_router(TilerFactory().router)
