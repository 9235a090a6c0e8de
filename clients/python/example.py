"""Uploads a table and the inputs of the Landscape Program, waits, maps, runs, and reads the zoning:

    python example.py http://127.0.0.1:8080 FOLDER

The folder is that of the examples of Steppe: a table, and a raster for each slot in ``landscape/``. STEPPE_TOKEN is the token, where one is needed.
"""

import os
import sys
import uuid
from pathlib import Path

from steppe_client import SteppeError, connect, request_key, settled_dataset, settled_run, upload_file
from steppe_client.api.areas import get_dataset_areas
from steppe_client.api.categories import create_category, list_categories
from steppe_client.api.datasets import get_dataset, get_dataset_cog
from steppe_client.api.landscape import create_landscape_run, list_landscape_slots
from steppe_client.api.tables_by_kato import list_observations, submit_mapping, suggest_mapping
from steppe_client.models import CreateCategoryBody, GetDatasetAreasBy, GetDatasetAreasLang, MappingInput

base_url, folder = (sys.argv[1:] + ["http://127.0.0.1:8080", "examples"][len(sys.argv) - 1 :])[:2]
client = connect(base_url, token=os.environ.get("STEPPE_TOKEN"))
examples = Path(folder)

# A category, made once.
code = "client-example"
category = next((each for each in list_categories.sync(client=client) if each.code == code), None)
if category is None:
    category = create_category.sync(client=client, body=CreateCategoryBody(code=code, name="Example of the client"))

# A table by KATO: uploaded, looked at, mapped as the service suggests, extracted.
table = upload_file(
    client,
    examples / "population-by-region.geojson",
    file_type="vector_with_kato",
    category_id=category.id,
)
settled_dataset(client, table.id)
suggestion = suggest_mapping.sync(table.id, client=client)
mapping = MappingInput.from_dict(suggestion.to_dict())
submit_mapping.sync(table.id, client=client, body=mapping)
settled_dataset(client, table.id)
page = list_observations.sync(table.id, client=client, kato_code="110000000", page_size=2)
first = page.data[0]
print(f"table: {page.total} observations of Akmola, the first {first.start_date}: {first.value}")

# A raster. Pieces are for large files; here they show how it is done.
relief = upload_file(
    client,
    examples / "zhabay-dem.tif",
    file_type="raster",
    category_id=category.id,
    name="Relief",
    meta={"source": "SRTM"},
    pieces_from_bytes=65_536,
    piece_bytes=262_144,
)
print("relief: " + ", ".join(f"{side:g}" for side in settled_dataset(client, relief.id).bbox))

# What the service refuses is an error with its sentence.
try:
    get_dataset.sync(uuid.uuid4(), client=client)
except SteppeError as error:
    print(f"refused: {error.status}, {error}")

# The rasters of the Landscape Program, unless its slots are filled.
for slot in list_landscape_slots.sync(client=client):
    if slot.latest is not None:
        continue
    raster = examples / "landscape" / f"{slot.code.removeprefix('landscape-in-')}.tif"
    uploaded = upload_file(client, raster, slot=slot.code)
    settled_dataset(client, uploaded.id)

# A run, its zoning, and the hectares of each zone by region.
started = create_landscape_run.sync(client=client, idempotency_key=request_key())
run = settled_run(client, started.id)
zoning = next(node for node in run.nodes if node.node_code == "34").outputs[0].dataset_id
areas = get_dataset_areas.sync(
    zoning, client=client, by=GetDatasetAreasBy.REGION, lang=GetDatasetAreasLang.EN
)
for each in areas.classes:
    hectares = areas.total.classes.to_dict().get(str(each.value), 0)
    print(f"zone {each.value}: {hectares:.0f} ha, {each.title}")
cog = get_dataset_cog.sync(zoning, client=client)
print(f"zoning: {zoning}, a COG of {len(cog.payload.read())} bytes")
