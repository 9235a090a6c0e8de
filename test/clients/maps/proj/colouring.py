"""Colours the pixels of a raster as its style says, or else as the file itself does."""

import numpy as np
from rasterio.enums import ColorInterp


def image_of(raster, paint):
    """Red, green, blue and alpha of every pixel; all zero where there is nothing to see."""
    kind = paint["kind"]
    band = paint.get("band", 1)
    if kind == "rgb":
        return without_hidden(of_bands(raster))
    data = raster.read(band)
    if kind == "palette":
        table = np.zeros((256, 4), "uint8")
        for index, rgba in raster.colormap(1).items():
            table[index] = rgba
        image = table[data]
    else:
        image = PAINTS[kind](data.astype("f8"), paint["stops"])
    image[raster.read_masks(band) == 0] = 0
    return without_hidden(image)


def of_bands(raster):
    most = np.iinfo(raster.dtypes[0]).max
    colours = np.moveaxis(raster.read([1, 2, 3]).astype("f8"), 0, -1)
    image = np.zeros((raster.height, raster.width, 4), "uint8")
    image[..., :3] = np.floor(colours * 255 / most + 0.5)
    has_alpha = raster.count > 3 and raster.colorinterp[3] == ColorInterp.alpha
    image[..., 3] = np.floor(raster.read(4).astype("f8") * 255 / most + 0.5) if has_alpha else 255
    if not has_alpha:
        # A pixel is nothing when it has no data in all of its bands.
        image[np.max([raster.read_masks(band) for band in (1, 2, 3)], axis=0) == 0] = 0
    return image


def by_values(data, stops):
    image = np.zeros((*data.shape, 4), "uint8")
    for value, *rgba in stops:
        image[data == value] = rgba
    return image


def by_intervals(data, stops):
    """A stop colours what is below it, and not below the one before; above the last there is nothing."""
    bounds = np.array([bound for bound, *_ in stops])
    colours = np.array([rgba for _, *rgba in stops] + [[0, 0, 0, 0]], "uint8")
    index = np.searchsorted(bounds, np.where(np.isnan(data), np.inf, data), side="right")
    return colours[index]


def by_ramp(data, stops):
    values = [value for value, *_ in stops]
    parts = [np.interp(data, values, [rgba[part] for _, *rgba in stops]) for part in range(4)]
    image = np.floor(np.nan_to_num(np.stack(parts, axis=-1)) + 0.5).astype("uint8")
    image[np.isnan(data)] = 0
    return image


def without_hidden(image):
    image[image[..., 3] == 0] = 0
    return image


PAINTS = {"values": by_values, "intervals": by_intervals, "ramp": by_ramp}
