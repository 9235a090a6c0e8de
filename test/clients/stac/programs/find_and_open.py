"""Finds a raster by box and time with pystac-client, and reads one window of its COG by ranges with rasterio."""
import json
import sys

import rasterio
from pystac_client import Client
from rasterio.windows import Window

url, bbox, datetime, title = sys.argv[1:]
search = Client.open(url).search(
    bbox=[float(number) for number in bbox.split(",")],
    datetime=datetime,
    filter={"op": "=", "args": [{"property": "title"}, title]},
    limit=1,
)
items = list(search.items())
item = items[0]
item.validate()
with rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR", CPL_VSIL_CURL_ALLOWED_EXTENSIONS=".cog"):
    with rasterio.open(item.assets["data"].href) as raster:
        middle = Window(raster.width // 4, raster.height // 4, raster.width // 2, raster.height // 2)
        values = raster.read(1, window=middle, masked=True).compressed()
        facts = {"shape": list(raster.shape), "crs": str(raster.crs), "values": sorted({int(value) for value in values})}
print(json.dumps({"ids": [each.id for each in items], "said": item.assets["data"].extra_fields["proj:shape"], "code": item.assets["data"].extra_fields["proj:code"], "run": item.properties["landscape:run_id"], **facts}))
