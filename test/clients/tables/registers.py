"""
The differences of two registers, computed without the service.

  registers.py FOLDER SEEDS   prints for each example, as JSON, its values by unit: the first, the second, and second less first

FOLDER has raster.tif and the tables as GeoJSON, SEEDS the borders and the history of the units.
"""

import json
import math
import sys
from pathlib import Path

import rasterio
from shapely.geometry import box, shape
from shapely.prepared import prep

folder, seeds = Path(sys.argv[1]), Path(sys.argv[2])
# WGS 84.
A, E2 = 6378137.0, 0.0066943799901413165
E = math.sqrt(E2)


def q(latitude):
    """Snyder 3-12."""
    sine = math.sin(math.radians(latitude))
    return (1 - E2) * (sine / (1 - E2 * sine * sine) + math.atanh(E * sine) / E)


def cell_hectares(south, north, width):
    return A * A * math.radians(width) / 2 * (q(north) - q(south)) / 10_000


def table(name, column):
    features = json.loads((folder / name).read_text())["features"]
    return {each["properties"]["kato"]: each["properties"][column] for each in features}


def numbers(values, factor=1):
    return {kato: value * factor for kato, value in values.items() if isinstance(value, (int, float))}


def districts():
    for line in (seeds / "districts.geojsonl").read_text().splitlines():
        unit = json.loads(line)
        yield unit["properties"]["kato"], shape(unit["geometry"]).buffer(0)


def raster_hectares(chosen):
    """Hectares of the chosen classes by district; a district without any class is left out."""
    found = {}
    with rasterio.open(folder / "raster.tif") as source:
        pixels, transform, none = source.read(1), source.transform, source.nodata
    width, height = transform.a, -transform.e
    for kato, land in districts():
        west, south, east, north = land.bounds
        columns = range(max(0, math.floor((west - transform.c) / width)), min(pixels.shape[1], math.ceil((east - transform.c) / width)))
        rows = range(max(0, math.floor((transform.f - north) / height)), min(pixels.shape[0], math.ceil((transform.f - south) / height)))
        prepared = prep(land)
        for row in rows:
            top = transform.f - row * height
            whole = cell_hectares(top - height, top, width)
            for column in columns:
                value = pixels[row, column]
                if value == none:
                    continue
                left = transform.c + column * width
                cell = box(left, top - height, left + width, top)
                if prepared.contains(cell):
                    share = 1
                elif prepared.intersects(cell):
                    share = land.intersection(cell).area / (width * height)
                else:
                    continue
                if share > 0:
                    found[kato] = found.get(kato, 0) + (whole * share if value in chosen else 0)
    return found


def compared(a, b):
    return {
        kato: [a.get(kato), b.get(kato), b[kato] - a[kato] if kato in a and kato in b else None]
        for kato in {**a, **b}
    }


def recoded(values):
    """Puts values of before 2022 under the codes of today, where the land stayed the same."""
    changes = json.loads((seeds / "history.json").read_text())["changes"]
    moved = {each["from"]: each["to"] for each in changes if each["kind"] == "recode"}
    return {moved.get(kato, kato): value for kato, value in values.items()}


print(
    json.dumps(
        {
            "tables": compared(numbers(table("first.geojson", "2023")), numbers(table("second.geojson", "2023"))),
            "raster": compared(numbers(table("thousand.geojson", "2023"), 1000), raster_hectares({2, 3})),
            "borders": compared(
                recoded(numbers(table("former.geojson", "2020"))), numbers(table("second.geojson", "2023"))
            ),
        }
    )
)
