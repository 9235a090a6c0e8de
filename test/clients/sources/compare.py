"""Compares GeoTIFFs with arrays, cell by cell, by rasterio. Its argument is a file with a list of cases; it prints the differences."""
import json
import sys

import numpy as np
import rasterio
from pyproj import CRS, Transformer

faults = []
compared = 0
for case in json.loads(open(sys.argv[1]).read()):
    expected = np.load(case["expected"])
    with rasterio.open(case["path"]) as data:
        band = data.read(1).astype("f8")
        if data.nodata is not None:
            band[(band == data.nodata) | (np.isnan(band) if np.isnan(data.nodata) else False)] = np.nan
        values = band * data.scales[0] + data.offsets[0]
        name = f'{case["file"]} {case["variable"]} {case["positions"]}'
        if values.shape != expected.shape:
            faults.append(f"{name}: {values.shape} cells, expected {expected.shape}")
            continue
        holes = np.isnan(values) != np.isnan(expected)
        if holes.any():
            faults.append(f"{name}: {holes.sum()} cells differ in having a value, of {holes.size}")
            continue
        size = np.nanmax(np.abs(expected), initial=0)
        apart = np.nanmax(np.abs(values - expected), initial=0)
        # xarray computes scale and offset in single precision for some types.
        if not apart <= case["tolerance"] * size:
            faults.append(f"{name}: values differ by {apart} of {size}")
        if case["grid"] is not None:
            x, y, width, height = case["grid"]
            own = (data.transform.c + data.transform.a / 2, data.transform.f + data.transform.e / 2, data.transform.a, -data.transform.e)
            apart = max(abs(a - b) for a, b in zip(own, (x, y, width, height)))
            if not apart <= 1e-3 * min(width, height):
                faults.append(f"{name}: cells at {own}, expected {(x, y, width, height)}")
        if case["crs"] is None:
            if data.crs is not None:
                faults.append(f"{name}: has the CRS {data.crs}")
        else:
            x, y = data.transform.c, data.transform.f
            places = [Transformer.from_crs(crs, 4326, always_xy=True).transform(x, y) for crs in (CRS.from_wkt(data.crs.to_wkt()), CRS(case["crs"]))]
            if case["crs"] != "EPSG:4326" and max(abs(a - b) for a, b in zip(*places)) > 1e-6:
                faults.append(f"{name}: at {places[0]}, expected {places[1]}")
            if case["crs"] == "EPSG:4326" and data.crs.to_epsg() != 4326:
                faults.append(f"{name}: CRS {data.crs}")
        compared += values.size
print(json.dumps({"faults": faults, "compared": compared}))
