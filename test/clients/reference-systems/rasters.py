"""
Small GeoTIFFs of the reference systems that rasterio's PROJ knows.

  rasters.py write FOLDER EVERY   writes one of every EVERY-th projected or geographic system that is not deprecated
  rasters.py compare FOLDER       prints for each NAME.tif, as JSON, whether NAME.cog.tif has an equal system
"""

import json
import sqlite3
import sys
import warnings
from pathlib import Path

import numpy
import rasterio
from rasterio.crs import CRS
from rasterio.transform import from_origin
from rasterio.warp import transform

from areas import AREA, centre

warnings.filterwarnings("ignore")
SIDE = 8


def corner(crs, is_projected, area):
    """Upper left corner in the middle of the system's area, and the size of a pixel, in its units."""
    if area is None or area[0] is None:
        return (500_000, 4_000_000, 100) if is_projected else (70, 52, 0.001)
    longitude, latitude = centre(area)
    if not is_projected:
        return longitude, latitude, 0.001
    try:
        (x,), (y,) = transform("EPSG:4326", crs, [longitude], [latitude])
        if max(abs(x), abs(y)) < 1e9:
            return x, y, 100
    except Exception:
        pass
    return 500_000, 4_000_000, 100


def write(folder, every):
    database = sqlite3.connect(Path(rasterio.__file__).parent / "proj_data" / "proj.db")
    systems = database.execute(
        """select auth_name, code, type from crs_view where deprecated = 0 and type in ('projected', 'geographic 2D')
           and auth_name in ('EPSG', 'ESRI', 'IAU_2015') order by auth_name, code"""
    ).fetchall()
    for authority, code, kind in systems[::every]:
        crs = CRS.from_user_input(f"{authority}:{code}")
        x, y, size = corner(crs, kind == "projected", database.execute(AREA, (authority, code)).fetchone())
        profile = dict(driver="GTiff", width=SIDE, height=SIDE, count=1, dtype="uint8", crs=crs)
        path = folder / f"{authority}.{code}.tif"
        with rasterio.open(path, "w", transform=from_origin(x, y, size, size), **profile) as raster:
            raster.write(numpy.arange(SIDE * SIDE, dtype="uint8").reshape(1, SIDE, SIDE))


def compare(folder):
    outcomes = {}
    for cog in sorted(folder.glob("*.cog.tif")):
        name = cog.name.removesuffix(".cog.tif")
        with rasterio.open(folder / f"{name}.tif") as source, rasterio.open(cog) as found:
            outcomes[name] = source.crs == found.crs
    print(json.dumps(outcomes))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        compare(Path(sys.argv[2]))
