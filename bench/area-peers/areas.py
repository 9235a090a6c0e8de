"""Areas of classes by unit: python areas.py RASTER UNITS OUT, with exactextract's own areas of pixels, which are those of a sphere."""

import json
import sys

from exactextract import exact_extract

raster, units, out = sys.argv[1:]
with open(units) as file:
    features = json.load(file)["features"]
found = exact_extract(raster, features, ["frac", "unique", "count"], coverage_weight="area_spherical_m2", include_cols=["kato"])
with open(out, "w") as file:
    json.dump(found, file, default=lambda value: value.tolist())
