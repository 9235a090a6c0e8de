"""
Small vector files of reference systems: a GeoPackage, a shapefile and a GeoJSON in turn, by pyogrio with a GDAL of its own.

  vectors.py FOLDER EVERY     writes a file for one of every EVERY-th projected or geographic system that is not deprecated, and
                              all three for the systems of QazTRF-23; prints as JSON by name the longitude and latitude of its point, by rasterio with a PROJ of its own
"""

import json
import shutil
import sqlite3
import struct
import sys
import warnings
from pathlib import Path

import numpy
import rasterio
from pyogrio.raw import write
from rasterio.crs import CRS
from rasterio.warp import transform

from areas import AREA, centre

warnings.filterwarnings("ignore")
QAZTRF_23 = range(10941, 10950)
FORMATS = [("gpkg", "GPKG"), ("zip", "ESRI Shapefile"), ("geojson", None)]


def place_of(area):
    if area is None or area[0] is None:
        return 70, 52
    return centre(area)


def transformed(source, target, x, y):
    (to_x,), (to_y,) = transform(source, target, [x], [y])
    return to_x, to_y


def point_of(crs, area):
    """A point in the middle of the area of a system, in its units and rounded, or None where PROJ has none."""
    x, y = transformed("EPSG:4326", crs, *place_of(area))
    if not (numpy.isfinite(x) and numpy.isfinite(y)):
        return None
    digits = 6 if crs.is_geographic else 2
    return round(x, digits), round(y, digits)


def write_file(path, driver, crs, authority, code, x, y):
    if driver is None:
        name = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:{authority}::{code}"}}
        point = {"type": "Feature", "properties": {"n": 1}, "geometry": {"type": "Point", "coordinates": [x, y]}}
        path.write_text(json.dumps({"type": "FeatureCollection", "crs": name, "features": [point]}))
        return
    geometry = numpy.array([struct.pack("<BIdd", 1, 1, x, y)], dtype=object)
    members = path if driver == "GPKG" else path.with_suffix("") / "points.shp"
    members.parent.mkdir(exist_ok=True)
    write(members, geometry, [numpy.array([1])], ["n"], geometry_type="Point", crs=crs.to_wkt(), driver=driver)
    if driver != "GPKG":
        shutil.make_archive(str(path.with_suffix("")), "zip", members.parent)
        shutil.rmtree(members.parent)


def main(folder, every):
    database = sqlite3.connect(Path(rasterio.__file__).parent / "proj_data" / "proj.db")
    systems = database.execute(
        """select auth_name, code from crs_view where deprecated = 0 and type in ('projected', 'geographic 2D')
           and auth_name in ('EPSG', 'ESRI') order by auth_name, code"""
    ).fetchall()
    files = [(*system, *FORMATS[number % len(FORMATS)]) for number, system in enumerate(systems[::every])]
    files += [("EPSG", str(code), *file_format) for code in QAZTRF_23 for file_format in FORMATS]
    places = {}
    for authority, code, extension, driver in files:
        crs = CRS.from_user_input(f"{authority}:{code}")
        name = f"{authority}.{code}.{extension}"
        try:
            point = point_of(crs, database.execute(AREA, (authority, code)).fetchone())
            if point is None:
                continue
            write_file(folder / name, driver, crs, authority, code, *point)
            places[name] = transformed(crs, "EPSG:4326", *point)
        except Exception as error:  # rasterio's GDAL raises errors of many kinds for systems without an operation
            print(f"{name}: {error}", file=sys.stderr)
    print(json.dumps(places))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
