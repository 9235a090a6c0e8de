"""Opens rasters and their levels with rasterio."""

import rasterio


def open_raster(path):
    return rasterio.open(path)


def open_level(path, level):
    return rasterio.open(path) if level == 0 else rasterio.open(path, overview_level=level - 1)


def sizes_of(path):
    """Width and height of full resolution and of every overview."""
    with open_raster(path) as raster:
        count = len(raster.overviews(1))
    sizes = []
    for level in range(count + 1):
        with open_level(path, level) as raster:
            sizes.append((raster.width, raster.height))
    return sizes
