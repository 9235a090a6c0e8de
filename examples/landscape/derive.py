#!/usr/bin/env python3
"""Makes the rasters beside this file: `dem.tif` is measured, the other 12 are derived from it.

  python3 derive.py [FOLDER]              needs numpy, scipy and rasterio; FOLDER is the one of this file unless given
  python3 derive.py --elevation SRTM.tif  cuts dem.tif out of SRTM first, which has to cover 68-69.5° E, 51.7-52.8° N

The 12 are illustrations, not measurements: each is a plain rule of the relief that gives values of the right size for the
north of Akmola region. README.md lists the rules. The same elevation gives the same files, bit for bit.
"""
import heapq
import sys
from pathlib import Path

import numpy as np
import rasterio
from rasterio.transform import Affine
from rasterio.windows import from_bounds
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra, minimum_spanning_tree

HERE = Path(__file__).resolve().parent
WEST, SOUTH, EAST, NORTH = 68.0, 51.7, 69.5, 52.8
ROWS, COLUMNS = 660, 900  # cells of 6 arc seconds
TOWNS = [("Atbasar", 68.36, 51.81, 3000), ("Balkashino", 68.75, 52.52, 1500), ("Sandyktau", 69.02, 52.66, 900)]
PARK, RESERVE = (68.95, 52.58), (68.17, 52.62)  # a place inside of each
UNSURVEYED = (69.08, 52.06, 4300, 3400)  # longitude, latitude, half axes in metres


# ------------------------------------------------------------------ the ground
class Ground:
    """The grid in metres, with the operations that every rule is made of."""

    def __init__(self):
        step = (NORTH - SOUTH) / ROWS
        self.lat = NORTH - (np.arange(ROWS)[:, None] + 0.5) * step + np.zeros((1, COLUMNS))
        self.lon = WEST + (np.arange(COLUMNS)[None, :] + 0.5) * step + np.zeros((ROWS, 1))
        self.dy = 111250 * step
        self.dx = 111320 * step * np.cos(np.radians((NORTH + SOUTH) / 2))
        self.random = np.random.RandomState(2024)  # its stream is frozen

    def smooth(self, a, metres):
        return ndimage.gaussian_filter(a.astype(float), (metres / self.dy, metres / self.dx), mode="nearest")

    def noise(self, *scales):
        """Sum of smooth random surfaces, each of standard deviation 1, weighed by its scale in metres; deviation 1."""
        total = sum(m * (s := self.smooth(self.random.standard_normal((ROWS, COLUMNS)), m)) / s.std() for m in scales)
        return total / total.std()

    def distance(self, mask):
        """Metres to the nearest cell of `mask`, and the row and column of that cell."""
        metres, index = ndimage.distance_transform_edt(~mask, (self.dy, self.dx), return_indices=True)
        return metres, tuple(index)

    def grow(self, mask, metres):
        return self.distance(mask)[0] <= metres

    def shrink(self, mask, metres):
        return ~self.grow(~mask, metres)

    def cell(self, lon, lat):
        step = (NORTH - SOUTH) / ROWS
        return int((NORTH - lat) / step), int((lon - WEST) / step)

    def parts(self, mask, cells):
        """The connected parts of `mask` that have at least so many cells."""
        label, count = ndimage.label(mask, np.ones((3, 3)))
        sizes = np.bincount(label.ravel(), minlength=count + 1)
        sizes[0] = 0
        return sizes[label] >= cells

    def part_at(self, mask, place):
        """The connected part of `mask` that is nearest to a place."""
        label, _ = ndimage.label(mask, np.ones((3, 3)))
        row, column = self.cell(*place)
        nearest = self.distance(mask)[1]
        return label == label[nearest[0][row, column], nearest[1][row, column]]


def catchments(z, dx, dy):
    """km² that drain through each cell: hollows are filled (priority flood), then each cell gives to its steepest neighbour."""
    rows, columns = z.shape
    parent = np.full(z.size, -1)
    seen = np.zeros(z.shape, bool)
    order, heap = [], []
    for row in range(rows):
        for column in range(columns):
            if row in (0, rows - 1) or column in (0, columns - 1):
                heapq.heappush(heap, (z[row, column], row * columns + column))
                seen[row, column] = True
    while heap:
        level, at = heapq.heappop(heap)
        order.append(at)
        row, column = divmod(at, columns)
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                if not seen[r, c]:
                    seen[r, c] = True
                    parent[r * columns + c] = at
                    heapq.heappush(heap, (max(level, z[r, c]), r * columns + c))
    area = np.full(z.size, dx * dy / 1e6)
    for at in reversed(order):
        if parent[at] >= 0:
            area[parent[at]] += area[at]
    return area.reshape(z.shape)


def network(ground, cost):
    """The cells as a graph: each is linked to its eight neighbours, at `cost` per metre."""
    index = np.arange(cost.size).reshape(cost.shape)
    links = []
    for down, right, length in ((0, 1, ground.dx), (1, 0, ground.dy), (1, 1, np.hypot(ground.dx, ground.dy)),
                                (1, -1, np.hypot(ground.dx, ground.dy))):
        a = (slice(0, ROWS - down), slice(max(0, -right), COLUMNS - max(0, right)))
        b = (slice(down, ROWS), slice(max(0, right), COLUMNS - max(0, -right)))
        links.append((index[a].ravel(), index[b].ravel(), ((cost[a] + cost[b]) / 2 * length).ravel()))
    one, other, weight = (np.concatenate(part) for part in zip(*links))
    return coo_matrix((weight, (one, other)), (cost.size, cost.size)).tocsr()


def way(ground, cost, mask):
    """The shortest way from each cell to `mask`, metres, where each metre counts `cost` times."""
    starts = np.flatnonzero(mask)
    return dijkstra(network(ground, cost), directed=False, indices=starts, min_only=True).reshape(cost.shape)


def roads(ground, cost, places):
    """Cells of the cheapest roads that join all places, over `cost` per metre: the net that costs least."""
    starts = [row * COLUMNS + column for row, column in places]
    far, before = dijkstra(network(ground, cost), directed=False, indices=starts, return_predecessors=True)
    tree = minimum_spanning_tree(far[:, starts]).tocoo()
    found = np.zeros(cost.size, bool)
    for a, b in zip(tree.row, tree.col):
        at = starts[b]
        while at >= 0:
            found[at] = True
            at = before[a, at]
    return found.reshape(cost.shape)


def villages(ground, good, apart):
    """Places where `good` is greatest, none nearer to another than `apart` metres."""
    left, found = good.copy(), [ground.cell(lon, lat) for _, lon, lat, _ in TOWNS]
    rows, columns = np.mgrid[:ROWS, :COLUMNS]
    near = lambda place, metres: np.hypot((rows - place[0]) * ground.dy, (columns - place[1]) * ground.dx) < metres
    for place in found:
        left[near(place, apart)] = 0
    while left.max() > 0.35:
        found.append(tuple(int(i) for i in np.unravel_index(left.argmax(), left.shape)))
        left[near(found[-1], apart)] = 0
    return found


# ------------------------------------------------------------------ the leaves
def derive(z):
    """Leaves by key, from height in metres."""
    ground = Ground()
    smooth, noise = ground.smooth, ground.noise
    step = lambda a, low, high: np.clip((a - low) / (high - low), 0, 1)
    z = z.astype(float)
    lat = ground.lat - SOUTH
    north, east = -np.gradient(smooth(z, 120), axis=0) / ground.dy, np.gradient(smooth(z, 120), axis=1) / ground.dx
    slope = 100 * np.hypot(north, east)
    plain = smooth(z, 9000)
    stand = smooth(z, 250) - smooth(z, 4000)              # metres above (+) or below (-) the land around
    hollow, ridge = step(-stand, 2, 26), step(stand, 4, 40)
    hills = step(smooth(slope, 3000), 1.6, 4.2)           # 0 plain .. 1 hills
    grain, patch, broad = noise(900), noise(700, 2500), noise(6000, 15000)

    # water: flat as radar saw it; rivers where enough land drains to
    flat = (ndimage.maximum_filter(z, 3) - ndimage.minimum_filter(z, 3)) == 0
    lake = ground.parts(ndimage.binary_dilation(flat, np.ones((3, 3))), 60)
    area = catchments(smooth(z, 110), ground.dx, ground.dy)
    stream, river, great = area > 40, area > 250, area > 1500
    to_stream, _ = ground.distance(stream | lake)
    to_river, nearest = ground.distance(river)
    above = smooth(z - z[nearest], 150)                   # metres above the nearest river
    meadow = (above < 3 + 0.6 * patch) & (to_river < 1100 + 350 * patch) & (slope < 2.5)
    water = lake | great
    rough = np.clip(1 + (smooth(slope, 200) / 3) ** 1.5 + 0.4 * patch, 0.5, 4)  # a metre up a slope counts for more
    to_water = np.where(water, 0, way(ground, rough, stream | lake))

    # climate
    windward, sunny = smooth(east, 2500), smooth(north, 800)  # the wind is from the west
    rain = 326 + 26 * lat + 0.34 * (plain - 300) + 900 * windward + 6 * broad
    pet = 905 - 62 * lat - 0.34 * (plain - 300) + 500 * sunny + 6 * broad
    heat = 2400 - 120 * lat - 0.95 * (smooth(z, 300) - 280) + 1500 * sunny
    snow = (14.6 + 1.1 * lat + 0.012 * (plain - 300) - 0.32 * np.clip(stand, -28, 40) - 420 * smooth(east, 600)
            + 1.5 * patch + 1.2 * broad)

    # soils
    salt = step(-smooth(stand, 900), 1, 9) * step(1.6 - slope, 0, 1) * step(360 - plain, 0, 70) * step(patch, -0.4, 1.5)
    salinity = 0.5 + 0.4 * step(broad, -1, 1) + 17 * salt ** 1.4
    light = 1.5 * hills + 1.1 * ridge - 1.5 * hollow + 0.5 * patch + 0.4 * broad
    texture = np.select(
        [meadow & (patch > 0.2), meadow, light > 2.5, light > 1.35, light > 0.3, light > -0.9, light > -1.5],
        [8, 7, 11, 9, 7, 4, 5], 1)
    woods = 2.1 * hills + 0.8 * step(plain, 330, 430) - 7 * sunny + 0.5 * hollow + 0.45 * patch + 0.25 * grain + 0.2 * broad
    wood = ground.parts((woods > 1.75) & (to_stream > 150) & ~meadow, 15) & ~water
    carbon = 19 + 5 * lat + 7 * hollow - 6 * ridge + 5 * smooth(wood, 200) + 4 * meadow + 1.5 * patch

    # people
    good = step(to_river, 2500, 300) * step(above, 3, 12) * step(slope, 4, 1) * step(40 - abs(above - 14), 0, 30)
    good = np.maximum(good, 0.9 * step(smooth(wood, 1500), 0.25, 0.5) * step(to_stream, 2500, 400) * step(slope, 6, 2))
    places = villages(ground, np.where(water, 0, good), 9500)
    built = np.full(z.shape, -1.0)
    for number, place in enumerate(places):
        radius = TOWNS[number][3] if number < len(TOWNS) else 560
        one = np.zeros(z.shape, bool)
        one[place] = True
        built = np.maximum(built, 1 - ground.distance(one)[0] / (radius * np.clip(1 + 0.2 * grain, 0.6, 1.5)))
    built = (built > 0) & ~water
    road = roads(ground, 1 + (slope / 3) ** 2 + 14 * great + 60 * lake + 0.3 * wood, places)
    to_road = way(ground, np.clip(1 + 0.25 * patch, 0.6, 2), road)

    marsh = ground.parts(meadow & (above < 1 + 0.5 * patch) | ground.grow(lake, 260) & (slope < 2), 15)
    field = step(3.4 - slope, 0, 1.6) + 0.45 * patch + 0.35 * broad - 1.1 * hollow - 0.7 * hills + step(to_stream, 250, 900)
    cover = np.select(
        [water, built, marsh, ground.parts(salinity > 7.5, 6), wood, ground.parts((slope > 13) & (ridge > 0.7), 4),
         ground.parts((smooth(slope, 200) > 5) & (patch > -0.3), 10), ground.parts(field > 1.05, 25)],
        [80, 50, 90, 60, 10, 60, 20, 40], 30)
    growth = 0.02 + 0.72 * rain / pet + 0.06 * hollow - 0.04 * ridge + 0.07 * step(to_stream, 1600, 0) + 0.018 * patch
    ndvi = growth + np.select([cover == 10, cover == 90, cover == 40, cover == 60, cover == 50, cover == 20],
                              [0.20, 0.13, -0.045 + 0.03 * grain, -0.20, -0.14, 0.03], 0.01 * grain)
    ndvi = np.where(water, -0.12, smooth(np.where(water, growth, ndvi), 90))

    # protection: a wooded massif with a belt around it, and a lake with its shores
    massif = ground.part_at(smooth(wood, 900) > 0.8, PARK)
    massif = smooth(ground.shrink(ground.grow(massif, 900), 1900), 600) > 0.5
    belt = smooth(way(ground, rough, massif) < 3400, 400) > 0.5
    shore = smooth(way(ground, rough, ground.part_at(lake, RESERVE)) < 3400, 400) > 0.5
    protected = np.select([massif, belt | shore], [2, 1], 0)

    # a sheet of the soil map that nobody has delivered
    lon0, lat0, wide, high = UNSURVEYED
    gap = ((abs((ground.lon - lon0) * ground.dx * 600) / wide) ** 4 + (abs((ground.lat - lat0) * ground.dy * 600) / high) ** 4) < 1
    return {
        "dem": z, "land-cover": cover, "protected-areas": protected, "precipitation": rain, "pet": pet,
        "temperature-sum": heat, "snow-depth": np.clip(snow, 2, 80), "soil-texture": texture, "soil-organic-carbon": np.clip(carbon, 6, 60),
        "soil-salinity": np.where(gap, np.nan, salinity), "ndvi": ndvi, "distance-water": to_water, "distance-road": to_road,
    }


# ------------------------------------------------------------------ files
STORED = {  # data type, nodata, scale: a stored number times the scale is the value
    "dem": ("int16", -32768, 1), "land-cover": ("uint8", 0, 1), "protected-areas": ("uint8", 0, 1),
    "precipitation": ("int16", -1, 1), "pet": ("int16", -1, 1), "temperature-sum": ("int16", -1, 5),
    "snow-depth": ("int16", -1, 0.5), "soil-texture": ("uint8", 0, 1), "soil-organic-carbon": ("int16", -1, 0.5),
    "soil-salinity": ("int16", -1, 0.1), "ndvi": ("int16", -32768, 0.005), "distance-water": ("uint16", 65535, 25),
    "distance-road": ("uint16", 65535, 25),
}


def write(path, values, key):
    dtype, nodata, scale = STORED[key]
    values = np.asarray(values, float) / scale
    stored = np.where(np.isnan(values), nodata, np.rint(np.nan_to_num(values))).astype(dtype)
    step = (NORTH - SOUTH) / ROWS
    with rasterio.open(path, "w", driver="GTiff", height=ROWS, width=COLUMNS, count=1, dtype=dtype, nodata=nodata,
                       crs="EPSG:4326", transform=Affine(step, 0, WEST, 0, -step, NORTH), compress="deflate",
                       predictor=2 if scale != 1 or dtype != "uint8" else 1, zlevel=9, tiled=True, blockxsize=512, blockysize=512) as file:
        if scale != 1:
            file.scales = (scale,)
        file.write(stored, 1)


def cut(path):
    """Means of the SRTM cells in each cell of 6 seconds, which has to hold a whole number of them."""
    with rasterio.open(path) as file:
        z = file.read(1, window=from_bounds(WEST, SOUTH, EAST, NORTH, file.transform).round_lengths().round_offsets())
    many = z.shape[0] // ROWS
    return z.reshape(ROWS, many, COLUMNS, many).mean((1, 3))


def main(arguments):
    if arguments[:1] == ["--elevation"]:
        write(HERE / "dem.tif", cut(arguments[1]), "dem")
        arguments = arguments[2:]
    with rasterio.open(HERE / "dem.tif") as file:
        leaves = derive(file.read(1))
    for key, values in leaves.items():
        write(Path(arguments[0] if arguments else HERE) / f"{key}.tif", values, key)


if __name__ == "__main__":
    main(sys.argv[1:])
