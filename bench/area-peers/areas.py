"""Areas of classes by unit: python areas.py RASTER UNITS OUT, with exactextract's own areas of pixels, which are those of a sphere."""

import json
import sys

from exactextract import exact_extract

raster, units, out = sys.argv[1:]
with open(units) as file:
    features = json.load(file)["features"]
operations = [f"{name}(coverage_weight=area_spherical_m2)" for name in ("frac", "unique", "count")]
found = exact_extract(raster, features, operations, include_cols=["kato"])
with open(out, "w") as file:
    json.dump(found, file, default=lambda value: value.tolist())
