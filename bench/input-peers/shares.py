"""Rasterizes an attribute of polygons by the shares of exactextract: shares.py majority|mean GRID FEATURES.geojson COUNT OUT."""

import json
import sys

import numpy as np
import rasterio
from exactextract import exact_extract

rule, grid_path, features_path, count, out_path = sys.argv[1:]
count = int(count)
with rasterio.open(grid_path) as grid:
    profile, height, width = grid.profile, grid.height, grid.width
with open(features_path) as file:
    features = json.load(file)["features"]
sums = np.zeros((count if rule == "majority" else 2, height * width), dtype="float32")
for found, feature in zip(exact_extract(grid_path, features, ["cell_id", "coverage"]), features):
    cells = np.asarray(found["properties"]["cell_id"], dtype=np.int64)
    shares = np.asarray(found["properties"]["coverage"])
    number = feature["properties"]["c"]
    if rule == "majority":
        sums[number - 1, cells] += shares
    else:
        sums[0, cells] += shares * number
        sums[1, cells] += shares
if rule == "majority":
    values = (1 + sums.argmax(axis=0)).astype("uint8")
    values[sums.sum(axis=0) < 0.5] = 0
    nodata = 0
else:
    with np.errstate(invalid="ignore"):
        values = (sums[0] / sums[1]).astype("float32")
    values[~(sums[1] >= 0.5)] = -9999
    nodata = -9999
profile.update(dtype=values.dtype, nodata=nodata)
profile.pop("sparse_ok", None)
with rasterio.open(out_path, "w", **profile) as out:
    out.write(values.reshape(height, width), 1)
