#!/usr/bin/env python3
"""Makes the 13 rasters beside this file: an elevation model, and 12 leaves derived from it.

  python3 derive.py [FOLDER]     needs numpy and rasterio; FOLDER is the one of this file unless given

The leaves are illustrations, not measurements: each is a plain rule of height, latitude and natural
zone that gives values of the right size for the north of Akmola region. README.md lists the rules.
"""
import sys
from pathlib import Path

import numpy as np
import rasterio
from rasterio.windows import bounds

HERE = Path(__file__).resolve().parent
DRY_STEPPE, STEPPE = 2, 6
TOWNS = {  # longitude, latitude, about; radius of the built-up land in metres
    "Atbasar": (68.36, 51.81, 3500), "Zhaksy": (67.32, 51.91, 2000), "Balkashino": (68.75, 52.52, 2000),
    "Astrakhanka": (69.80, 51.53, 2000), "Zerendi": (69.15, 52.91, 2000), "Sandyktau": (69.02, 52.66, 1500),
}
ROADS = [("Zhaksy", "Atbasar"), ("Atbasar", "Astrakhanka"), ("Atbasar", "Balkashino"),
         ("Balkashino", "Sandyktau"), ("Sandyktau", "Zerendi")]
PARK = (68.90, 52.62, 69.45, 52.97)  # west, south, east, north
RESERVE = (67.35, 51.10, 67.95, 51.45)
BUFFER = 0.08  # degrees around the park


# ------------------------------------------------------------------ neighbourhoods and distances
def around(a, cells, of):
    """`of` (np.min, np.max or np.mean) over the square of 2 * cells + 1 pixels around each pixel."""
    for axis in (0, 1):
        pad = [(0, 0), (0, 0)]
        pad[axis] = (cells, cells)
        rows = np.lib.stride_tricks.sliding_window_view(np.pad(a, pad, mode="edge"), 2 * cells + 1, axis)
        a = of(rows, axis=-1)
    return a


def metres(grid):
    """Easting and northing of every pixel centre, metres, flat: good enough over three degrees."""
    lon, lat = grid
    return (lon - 68.5) * 111320 * np.cos(np.radians(lat)), (lat - 52) * 111250


def distance(grid, points):
    """Metres from every pixel centre to the nearest of `points`, which are (x, y) in metres."""
    x, y = metres(grid)
    nearest = np.full(x.shape, np.inf)
    for px, py in points:
        np.minimum(nearest, np.hypot(x - px, y - py), out=nearest)
    return nearest


def road_points():
    for one, other in ROADS:
        for t in np.linspace(0, 1, 250):
            lon, lat = (a + (b - a) * t for a, b in zip(TOWNS[one][:2], TOWNS[other][:2]))
            yield metres((lon, lat))


# ------------------------------------------------------------------ the leaves
def derive(z, zone, grid):
    """Leaves by key, from height in metres, natural zone and (longitude, latitude) of the pixel centres."""
    z = z.astype(float)
    lon, lat = grid
    dy = 111250 * abs(lat[1, 0] - lat[0, 0])
    cells = lambda km: max(1, round(1000 * km / dy))
    slope = 100 * np.hypot(np.gradient(z, axis=1) / (dy * np.cos(np.radians(lat))), np.gradient(z, axis=0) / dy)
    position = z - around(z, cells(10), np.mean)          # above (+) or below (-) the land within 10 km
    relief = around(z, cells(5), np.max) - around(z, cells(5), np.min)
    hollow = np.clip(-position / 25, 0, 1)                # 0 none .. 1 deep
    flat = slope < 1
    north = lat - 51
    high = z - 280

    lowest = around(z, cells(3), np.min)
    lake = (z <= lowest) & (position < -6) & (slope < 0.6)
    shore = around(lake.astype(float), cells(1), np.max) > 0
    course = z <= lowest + 1
    x, y = metres(grid)
    to_water = distance(grid, list(zip(x[course | lake], y[course | lake])))
    to_road = distance(grid, list(road_points()))
    town = np.zeros(z.shape, bool)
    for west, south, radius in TOWNS.values():
        town |= distance(grid, [metres((west, south))]) < radius

    rain = 285 + 32 * north + 0.30 * high
    pet = 930 - 70 * north - 0.30 * high
    heat = 2480 - 130 * north - 0.85 * high
    lee = -np.gradient(z, axis=1) / (dy * np.cos(np.radians(lat)))  # the wind is from the west
    snow = np.clip(13 + 3.5 * north + 0.02 * high - 0.12 * position + 600 * lee, 3, 60)

    salinity = 0.6 + np.where(zone == DRY_STEPPE, 9, 3) * hollow ** 2 * flat
    texture = np.select(
        [position > 60, position > 25, hollow * flat > 0.8, hollow * flat > 0.4, zone == DRY_STEPPE],
        [11, 9, 1, 5, 7], 4)                              # loamy sand, sandy loam, clay, silty clay loam, loam; clay loam
    carbon = np.where(zone == STEPPE, 27, 17) + 6 * hollow - np.clip(position, 0, 60) / 6

    wooded = (z > 400) & (relief > 110) & (lat > 52.1)
    cover = np.select(
        [lake, town, shore, wooded & (position > 0), salinity > 7, slope > 6, (slope < 0.7) & (hollow < 0.5)],
        [80, 50, 90, 10, 60, 20, 40], 30)
    aridity = rain / pet
    ndvi = 0.08 + 0.85 * aridity + 0.05 * hollow + np.select(
        [cover == 10, cover == 90, cover == 40, cover == 60, cover == 50], [0.14, 0.10, -0.04, -0.15, -0.12], 0)
    ndvi = np.where(lake, -0.10, ndvi)

    inside = lambda box, edge=0: ((lon > box[0] - edge) & (lat > box[1] - edge)
                                  & (lon < box[2] + edge) & (lat < box[3] + edge))
    protected = np.select([inside(PARK), inside(PARK, BUFFER) | inside(RESERVE)], [2, 1], 0)

    return {
        "dem": z, "land-cover": cover, "protected-areas": protected, "precipitation": rain, "pet": pet,
        "temperature-sum": heat, "snow-depth": snow, "soil-texture": texture, "soil-organic-carbon": carbon,
        "soil-salinity": salinity, "ndvi": ndvi, "distance-water": to_water, "distance-road": to_road,
    }


# ------------------------------------------------------------------ files
STORED = {  # data type, nodata, scale: a stored number times the scale is the value
    "dem": ("int16", -32768, 1), "land-cover": ("uint8", 0, 1), "protected-areas": ("uint8", 0, 1),
    "precipitation": ("int16", -1, 1), "pet": ("int16", -1, 1), "temperature-sum": ("int16", -1, 1),
    "snow-depth": ("uint8", 255, 1), "soil-texture": ("uint8", 0, 1), "soil-organic-carbon": ("int16", -1, 0.1),
    "soil-salinity": ("int16", -1, 0.1), "ndvi": ("int16", -32768, 0.0001), "distance-water": ("int32", -1, 1),
    "distance-road": ("int32", -1, 1),
}


def centres(raster):
    west, south, east, north = bounds(((0, raster.height), (0, raster.width)), raster.transform)
    lon = west + (np.arange(raster.width) + 0.5) * (east - west) / raster.width
    lat = north - (np.arange(raster.height) + 0.5) * (north - south) / raster.height
    return np.meshgrid(lon, lat)


def write(path, values, key, crs, transform):
    dtype, nodata, scale = STORED[key]
    stored = np.rint(np.asarray(values) / scale).astype(dtype)
    height, width = stored.shape
    with rasterio.open(path, "w", driver="GTiff", height=height, width=width, count=1, dtype=dtype, nodata=nodata,
                       crs=crs, transform=transform, compress="deflate", predictor=2, zlevel=9) as file:
        if scale != 1:
            file.scales = (scale,)
        file.write(stored, 1)


def main(folder):
    with rasterio.open(HERE / "source" / "dem.tif") as dem, \
            rasterio.open(HERE / "source" / "natural-zones.tif") as zones:
        leaves = derive(dem.read(1), zones.read(1), centres(dem))
        for key, values in leaves.items():
            write(Path(folder) / f"{key}.tif", values, key, dem.crs, dem.transform)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else HERE)
