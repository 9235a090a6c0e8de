"""Reads a collection of rasters as scientists do: with odc-stac, stackstac and stac-geoparquet, by what pystac-client finds."""
import json
import os
import sys
import warnings

# GDAL does not look for other files beside each one on the server.
os.environ["GDAL_DISABLE_READDIR_ON_OPEN"] = "EMPTY_DIR"
warnings.simplefilter("ignore")

import odc.stac
import stac_geoparquet.arrow
import stackstac
from pystac_client import Client

url, collection, unplaced = sys.argv[1:]
client = Client.open(url)
items = list(client.get_collection(collection).get_items())
cube = odc.stac.load(items)
[(name, variable)] = cube.data_vars.items()
# pystac takes proj:epsg away from items that it makes, and stackstac knows nothing else.
found = client.search(collections=[collection])
plain = list(found.items_as_dicts())
stack = stackstac.stack(plain, assets=["data"]).compute()
queried = client.search(query={"title": {"eq": "NDVI 2022"}})
# It reads no item without a geometry, which STAC allows.
placed = client.search(collections=[collection, unplaced], filter={"op": "not", "args": [{"op": "isNull", "args": [{"property": "geometry"}]}]})
table = stac_geoparquet.arrow.parse_stac_items_to_arrow(list(placed.items_as_dicts()))
rows = table.read_all() if hasattr(table, "read_all") else table
print(
    json.dumps(
        {
            "items": len(items),
            "matched": found.matched(),
            "queried": [item.properties["title"] for item in queried.items()],
            "odc": [name, list(variable.shape), sorted({float(value) for value in variable.values.ravel()})],
            "stackstac": [list(stack.shape), sorted({float(value) for value in stack.values.ravel()})],
            "parquet": rows.num_rows,
        }
    )
)
