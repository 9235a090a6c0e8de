"""Where pixels of tiles lie in a raster, by PROJ."""

import math

import numpy as np
from pyproj import CRS, Transformer

HALF = math.pi * 6_378_137


class Place:
    """The place of a raster, exact for every pixel."""

    def __init__(self, raster):
        self.width, self.height = raster.width, raster.height
        self.affine = raster.transform
        crs = CRS.from_user_input(raster.crs.to_wkt())
        self.to_crs = Transformer.from_crs("EPSG:3857", crs, always_xy=True)
        self.to_view = Transformer.from_crs(crs, "EPSG:3857", always_xy=True)
        self.turn = 360 * math.radians(1) / crs.axis_info[0].unit_conversion_factor if crs.is_geographic else None

    def pixels_of(self, tile, size):
        """Columns and rows, whole at the corners of pixels, of the centres of a tile's pixels; infinite where there are none."""
        zoom, x, y = tile
        step = 2 * HALF / 2**zoom / size
        centres = (np.arange(size) + 0.5) * step
        across = np.broadcast_to(centres + x * size * step - HALF, (size, size))
        down = np.broadcast_to((HALF - y * size * step - centres)[:, None], (size, size))
        return self._pixels(*self.to_crs.transform(across, down))

    def _pixels(self, across, down):
        if self.turn is not None:
            middle, _ = self.affine * (self.width / 2, self.height / 2)
            with np.errstate(invalid="ignore"):
                across = across - self.turn * np.round((across - middle) / self.turn)
        inverse = ~self.affine
        with np.errstate(invalid="ignore"):
            return (
                inverse.a * across + inverse.b * down + inverse.c,
                inverse.d * across + inverse.e * down + inverse.f,
            )

    def in_view(self, columns, rows):
        """Web Mercator of places in pixels; only those that are on the map."""
        affine = self.affine
        across = affine.a * columns + affine.b * rows + affine.c
        down = affine.d * columns + affine.e * rows + affine.f
        x, y = self.to_view.transform(across, down)
        x = (x + HALF) % (2 * HALF) - HALF
        on_map = np.isfinite(x) & np.isfinite(y) & (np.abs(y) < HALF)
        return x[on_map], y[on_map]


def levels_of(sizes):
    """Of each level, full resolution first: how many times coarser it is, and by what its columns and rows are fewer."""
    full_width, full_height = sizes[0]
    shares = [(width / full_width, height / full_height) for width, height in sizes]
    # Along the longer side, a size that is rounded to whole pixels says least wrong.
    longer = 0 if full_width >= full_height else 1
    return [(1 / share[longer], share) for share in shares]


def native_zoom(place):
    """The zoom at which a pixel of the map is nearest to one of the raster, in its middle."""
    columns = place.width / 2 + np.array([-0.5, 0.5, -0.5, 0.5])
    rows = place.height / 2 + np.array([-0.5, -0.5, 0.5, 0.5])
    x, y = place.in_view(columns, rows)
    if len(x) < 4:
        return 4
    area = 0.5 * abs((x[3] - x[0]) * (y[2] - y[1]) - (x[2] - x[1]) * (y[3] - y[0]))
    return min(22, max(0, round(math.log2(2 * HALF / 256 / math.sqrt(area)))))


def tiles_over(place, zoom, most):
    """Tiles that show something of a raster, in an order that goes from one end to the other."""
    columns, rows = np.meshgrid(np.linspace(0.01, 0.99, 41) * place.width, np.linspace(0.01, 0.99, 41) * place.height)
    x, y = place.in_view(columns.ravel(), rows.ravel())
    span = 2 * HALF / 2**zoom
    tiles = sorted({(int(i), int(j)) for i, j in zip((x + HALF) // span, (HALF - y) // span)})
    if len(tiles) <= most:
        return tiles
    if most == 1:
        return [tiles[len(tiles) // 2]]
    return [tiles[round(index * (len(tiles) - 1) / (most - 1))] for index in range(most)]
