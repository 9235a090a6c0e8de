"""Writes cases of made inputs into a folder: sources, recipes, and the rasters that other programs make of them.

Usage: made.py FOLDER. Each case is a folder with case.json, features.geojson or rasters, grid.tif and expected.bin (float64, row by row, NaN
for no value). Centres are those of gdal_rasterize (rasterio), covered shares those of exactextract, distances those of pyproj's geodesic and of
shapely, mosaics those of gdalwarp.
"""

import json
import math
import os
import random
import subprocess
import sys
import warnings

import numpy as np
import rasterio
import shapely
from affine import Affine
from exactextract import exact_extract
from pyproj import CRS, Geod, Transformer
from rasterio.features import rasterize
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, mapping

folder = sys.argv[1]
random.seed(50)
np.random.seed(50)

OWN = {key: value for key, value in os.environ.items() if not key.startswith(("PROJ_", "GDAL_", "PYTHON"))}
DEGREES = ("EPSG:4326", Affine(0.01, 0, 70, 0, -0.01, 51), 90, 70)
FINE = ("EPSG:4326", Affine(0.004, 0, 70, 0, -0.006, 51), 220, 110)
UTM = ("EPSG:32642", Affine(900, 0, 570000, 0, -900, 5650000), 75, 80)
MERCATOR = ("EPSG:3857", Affine(1300, 0, 7793000, 0, -1300, 6630000), 70, 80)
ALBERS = (
    "+proj=aea +lat_1=44 +lat_2=52 +lat_0=48 +lon_0=66 +datum=WGS84 +units=m",
    Affine(800, 0, 285000, 0, -800, 340000),
    85,
    90,
)
DATELINE = ("EPSG:4326", Affine(0.02, 0, 179.2, 0, -0.02, 66), 90, 60)
DATELINE_UTM = ("EPSG:32601", Affine(1000, 0, 260000, 0, -1000, 7300000), 90, 80)


def corners(grid):
    """Longitudes and latitudes around a grid; east of 180 they continue."""
    crs, transform, width, height = grid
    back = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    xs, ys = zip(*[transform * (c * width / 8, r * height / 8) for c in range(9) for r in range(9)])
    lons, lats = back.transform(xs, ys)
    lons = [lon + 360 if lon < -90 and max(lons) > 90 else lon for lon in lons]
    return min(lons), min(lats), max(lons), max(lats)


def rounded(ring):
    return [(round(x, 7), round(y, 7)) for x, y in ring]


def star(x, y, size, points=9, hole=False):
    def ring(scale):
        angles = sorted(random.uniform(0, 2 * math.pi) for _ in range(points))
        return rounded(
            (x + scale * random.uniform(0.5, 1) * math.cos(a) * 1.5, y + scale * random.uniform(0.5, 1) * math.sin(a))
            for a in angles
        )

    outer = ring(size)
    polygon = Polygon(outer).buffer(0)
    if polygon.geom_type != "Polygon" or polygon.is_empty:
        return star(x, y, size, points, hole)
    if hole:
        inner = Polygon(rounded((x + size * 0.15 * math.cos(k), y + size * 0.12 * math.sin(k)) for k in range(6)))
        polygon = polygon.difference(inner)
        if polygon.geom_type != "Polygon":
            return star(x, y, size, points, hole)
    return Polygon(rounded(polygon.exterior.coords), [rounded(i.coords) for i in polygon.interiors])


def stars(grid, count, size, **options):
    west, south, east, north = corners(grid)
    return [
        star(random.uniform(west, east), random.uniform(south, north), size * (north - south), **options)
        for _ in range(count)
    ]


def slivers(grid, count):
    west, south, east, north = corners(grid)
    found = []
    for _ in range(count):
        x, y = random.uniform(west, east), random.uniform(south, north)
        dx, dy = random.uniform(-0.3, 0.3), random.uniform(-0.2, 0.2)
        found.append(Polygon(rounded([(x, y), (x + dx, y + dy), (x + dx + 0.002, y + dy + 0.001)])))
    return found


def quilt(grid, columns, rows):
    """Polygons that share their borders."""
    west, south, east, north = corners(grid)
    step_x, step_y = (east - west) / columns, (north - south) / rows
    at = {
        (c, r): (
            round(west + (c + random.uniform(-0.3, 0.3)) * step_x, 7),
            round(south + (r + random.uniform(-0.3, 0.3)) * step_y, 7),
        )
        for c in range(columns + 1)
        for r in range(rows + 1)
    }
    return [
        Polygon([at[c, r], at[c + 1, r], at[c + 1, r + 1], at[c, r + 1]])
        for c in range(columns)
        for r in range(rows)
    ]


def split(geometry):
    """As RFC 7946 wants it: no position beyond 180."""
    west = geometry.intersection(shapely.box(-180, -90, 180, 90))
    east = shapely.affinity.translate(geometry.intersection(shapely.box(180, -90, 540, 90)), -360)
    parts = [p for g in (west, east) if not g.is_empty for p in getattr(g, "geoms", [g]) if p.geom_type == geometry.geom_type]
    return parts[0] if len(parts) == 1 else (MultiPolygon(parts) if geometry.geom_type == "Polygon" else shapely.MultiLineString(parts))


def on_grid(geometry, grid):
    """A geometry in the plane of a grid; its lines are straight in degrees."""
    crs, _, _, _ = grid
    if crs == "EPSG:4326":
        return geometry
    dense = shapely.segmentize(geometry, 0.0005)
    forward = Transformer.from_crs("EPSG:4326", crs, always_xy=True)
    return shapely.transform(dense, lambda x, y: forward.transform(np.where(x > 180, x - 360, x), y), interleaved=False)


def write_raster(path, grid, values, nodata=None, dtype="float32"):
    crs, transform, width, height = grid
    profile = {"driver": "GTiff", "width": width, "height": height, "count": 1, "dtype": dtype, "crs": crs}
    with rasterio.open(path, "w", transform=transform, nodata=nodata, **profile) as out:
        out.write(values.astype(dtype), 1)


def write_case(name, recipe, expected, *, grid=None, features=None, rasters=(), classes=None, tolerance=0.0, share=0.0, compared=None):
    """`share` is the largest share of pixels that may differ by more than `tolerance`."""
    own = os.path.join(folder, name)
    os.makedirs(own)
    if grid is not None:
        write_raster(os.path.join(own, "grid.tif"), grid, np.zeros((grid[3], grid[2])))
    if features is not None:
        listed = [
            {"type": "Feature", "properties": {"value": value}, "geometry": mapping(split(g) if g.geom_type in ("Polygon", "LineString") else g)}
            for g, value in features
        ]
        with open(os.path.join(own, "features.geojson"), "w") as out:
            json.dump({"type": "FeatureCollection", "features": listed}, out)
    for index, (raster_grid, values, nodata) in enumerate(rasters):
        dtype = "uint8" if classes else "float32"
        write_raster(os.path.join(own, f"{index}.tif"), raster_grid, values, nodata, dtype)
    filled = np.where(compared, expected, -77777.0) if compared is not None else expected
    np.ascontiguousarray(filled, dtype="<f8").tofile(os.path.join(own, "expected.bin"))
    case = {
        "recipe": recipe,
        "hasGrid": grid is not None,
        "hasFeatures": features is not None,
        "rasters": len(rasters),
        "classes": classes,
        "width": expected.shape[1],
        "height": expected.shape[0],
        "tolerance": tolerance,
        "share": share,
    }
    with open(os.path.join(own, "case.json"), "w") as out:
        json.dump(case, out)


def table(count):
    return [{"value": f"class {i}", "number": i} for i in range(1, count + 1)]


def valued(polygons, count):
    return [(polygon, f"class {1 + i % count}") for i, polygon in enumerate(polygons)]


def number_of(value):
    return int(value.split()[1])


def centres(name, grid, features, count, share=0.0):
    crs, transform, width, height = grid
    # The first row of the table wins: it is burned last.
    burned = sorted(features, key=lambda each: -number_of(each[1]))
    shapes = [(on_grid(g, grid), number_of(value)) for g, value in burned]
    found = rasterize(shapes, out_shape=(height, width), transform=transform, fill=0, dtype="uint8").astype(float)
    found[found == 0] = np.nan
    recipe = {"method": "rasterize", "attribute": "value", "rule": "centre", "table": table(count), "unmapped": "refuse", "minCoverage": 0.5}
    write_case(name, recipe, found, grid=grid, features=features, classes=list(range(1, count + 1)), share=share)


def shares(grid, geometry):
    """Covered shares of the pixels of a grid, by exactextract."""
    crs, transform, width, height = grid
    path = os.path.join(folder, "exactextract.tif")
    write_raster(path, grid, np.ones((height, width)))
    feature = {"type": "Feature", "geometry": mapping(geometry), "properties": {}}
    [found] = exact_extract(path, [feature], ["cell_id", "coverage"])
    result = np.zeros(width * height)
    result[np.asarray(found["properties"]["cell_id"], dtype=int)] = found["properties"]["coverage"]
    return result.reshape(height, width)


def exact(name, grid, features, count, rule, least=0.5):
    found = [(shares(grid, on_grid(g, grid)), number_of(value)) for g, value in features]
    cover = sum(share for share, _ in found)
    if rule == "mean":
        values = sum(share * number for share, number in found) / np.where(cover > 0, cover, 1)
    else:
        by_class = np.array([sum((s for s, n in found if n == k), np.zeros(cover.shape)) for k in range(1, count + 1)])
        values = 1.0 + np.argmax(by_class, axis=0)
        most = np.sort(by_class, axis=0)
    values = np.where((cover > 0) & (cover >= least), values, np.nan)
    # A share of exactly the minimum, or two equal shares, are decided by the last digit.
    compared = np.abs(cover - least) > 1e-6
    if rule == "majority" and count > 1:
        compared &= most[-1] - most[-2] > 1e-6
    recipe = {"method": "rasterize", "attribute": "value", "rule": rule, "table": table(count), "unmapped": "refuse", "minCoverage": least}
    classes = list(range(1, count + 1)) if rule == "majority" else None
    write_case(name, recipe, values, grid=grid, features=features, classes=classes, tolerance=1e-6 * count, compared=compared)


def places_of(grid):
    crs, transform, width, height = grid
    columns, rows = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    return transform * (columns, rows)


def distance_recipe(measure, **more):
    return {"method": "distance", "measure": measure, "limitMetres": None, "beyond": "no_data", "where": None, **more}


def geodesic(name, grid, features, limit=None):
    """To points along the features that are a tenth of a pixel apart, by the geodesic of PROJ; half a pixel is allowed."""
    crs, transform, width, height = grid
    xs, ys = places_of(grid)
    back = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    lons, lats = back.transform(xs, ys)
    geod = Geod(ellps="WGS84")
    pixel = geod.inv(lons[0, 0], lats[0, 0], lons[0, 1], lats[0, 1])[2]
    step = pixel / 111000 / 10
    lines = []
    inside = np.zeros((height, width), dtype=bool)
    for geometry, _ in features:
        dense = shapely.segmentize(geometry, step)
        lines.append(shapely.get_coordinates(dense))
        if geometry.geom_type == "Polygon":
            shift = np.where(np.asarray(lons) < 0, lons + 360, lons) if crs.endswith("4326") or max(lines[-1][:, 0]) > 180 else lons
            inside |= shapely.contains_xy(geometry, shift, lats)
    found = np.concatenate(lines)
    radians = np.radians(found)
    around = np.column_stack([np.cos(radians[:, 1]) * np.cos(radians[:, 0]), np.cos(radians[:, 1]) * np.sin(radians[:, 0]), np.sin(radians[:, 1])])
    values = np.full(lons.shape, -77777.0)
    some = np.random.choice(lons.size, 500, replace=False)
    for i in some:
        row, column = divmod(int(i), width)
        lon, lat = float(lons[row, column]), float(lats[row, column])
        a, b = math.radians(lon), math.radians(lat)
        nearness = around @ np.array([math.cos(b) * math.cos(a), math.cos(b) * math.sin(a), math.sin(b)])
        near = np.argpartition(-nearness, min(400, len(nearness) - 1))[:400]
        metres = geod.inv(np.full(len(near), lon), np.full(len(near), lat), found[near, 0], found[near, 1])[2].min()
        values[row, column] = 0 if inside[row, column] else metres
        if limit is not None and values[row, column] > limit:
            values[row, column] = np.nan if values[row, column] > limit + pixel / 2 else -77777.0
        elif limit is not None and values[row, column] > limit - pixel / 2:
            values[row, column] = -77777.0
    write_case(name, distance_recipe("geodesic", limitMetres=limit), values, grid=grid, features=features, tolerance=pixel / 2)


def planar(name, grid, features, tolerance):
    xs, ys = places_of(grid)
    whole = shapely.union_all([on_grid(g, grid) for g, _ in features])
    values = shapely.distance(whole, shapely.points(xs, ys))
    write_case(name, distance_recipe("grid"), values, grid=grid, features=features, tolerance=tolerance)


def proximity(name, grid, points):
    """Features at the centres of pixels: gdal_proximity measures between centres."""
    crs, transform, width, height = grid
    back = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    burned = np.zeros((height, width))
    features = []
    for column, row in points:
        burned[row, column] = 1
        features.append((Point(*back.transform(*(transform * (column + 0.5, row + 0.5)))), "class 1"))
    source, target = os.path.join(folder, "burned.tif"), os.path.join(folder, "proximity.tif")
    write_raster(source, grid, burned)
    subprocess.run(["gdal_proximity.py", source, target, "-distunits", "GEO", "-q"], check=True, env=OWN, stdout=subprocess.DEVNULL)
    with rasterio.open(target) as opened:
        values = opened.read(1).astype(float)
    write_case(name, distance_recipe("grid"), values, grid=grid, features=features, tolerance=transform.a / 2)


def surface(grid, phase=0.0):
    xs, ys = places_of(grid)
    crs = CRS(grid[0])
    back = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    lons, lats = back.transform(xs, ys)
    return 300 + 100 * np.sin(lons * 9 + phase) + 80 * np.cos(lats * 11)


def part(grid, left, top, width, height):
    crs, transform, _, _ = grid
    return (crs, transform * Affine.translation(left, top), width, height)


def warped(piece, values, nodata, whole, classes, resampled):
    """A raster on another grid by gdalwarp, which places every pixel exactly."""
    crs, transform, width, height = whole
    source, target = os.path.join(folder, "piece.tif"), os.path.join(folder, "warped.tif")
    write_raster(source, piece, np.where(values == nodata, np.nan, values), np.nan)
    west, north = transform * (0, 0)
    east, south = transform * (width, height)
    method = "near" if classes or resampled is None else "bilinear"
    bounds = [repr(float(edge)) for edge in (west, south, east, north)]
    subprocess.run(["gdalwarp", "-q", "-overwrite", "-et", "0", "-r", method, "-t_srs", crs, "-te", *bounds, "-ts", str(width), str(height),
                    "-ot", "Float64", source, target], check=True, env=OWN)
    with rasterio.open(target) as opened:
        return opened.read(1).astype(float)


def mosaic(name, whole, pieces, rule, *, classes=None, gaps=False, resampled=None):
    crs, transform, width, height = whole
    rasters = []
    for index, piece in enumerate(pieces):
        values = surface(piece, 0.02 * index)
        nodata = 0 if classes else -9999
        if classes:
            values = 1 + (values.astype(int) // 40) % len(classes)
        if gaps:
            values[5:12, 7:30] = nodata
        rasters.append((piece, values, nodata))
    layers, safe = [], np.ones((height, width), dtype=bool)
    for piece, values, nodata in rasters:
        target = warped(piece, values, nodata, whole, classes, resampled)
        layers.append(target)
        if resampled is not None:
            # At edges and gaps the two programs weigh fewer than four pixels differently.
            missing = np.isnan(target)
            beside = [np.roll(np.roll(missing, dy, 0), dx, 1) for dy in range(-2, 3) for dx in range(-2, 3)]
            safe &= np.all(beside, axis=0) | ~np.any(beside, axis=0)
    stack = np.array(layers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if rule == "mean":
            expected = np.nanmean(stack, axis=0)
        elif rule == "minimum":
            expected = np.nanmin(stack, axis=0)
        else:
            expected = np.full((height, width), np.nan)
            for layer in reversed(layers):
                expected = np.where(np.isnan(layer), expected, layer)
    write_case(name, {"method": "mosaic", "rule": rule}, expected, grid=whole if resampled is not None else None, rasters=rasters, classes=classes,
               tolerance=resampled if resampled is not None else 1e-4, compared=safe if resampled is not None else None)


def sums(name, grid, recipe, count):
    rasters, layers = [], []
    for index in range(count):
        values = surface(grid, 0.3 * index).astype("float32").astype(float)
        values[index : index + 4, 3:9] = -9999
        rasters.append((grid, values, -9999))
        converted = np.where(values == -9999, np.nan, values * recipe["scale"] + recipe["offset"])
        if recipe["above"] is not None:
            converted = np.where(converted <= recipe["above"], 0, converted)
        layers.append(converted * recipe["weights"][index])
    # A gap in one raster is a gap in the result, as numpy has it without nansum, nanmin and so on.
    combined = {"sum": np.sum, "mean": np.sum, "minimum": np.min, "maximum": np.max}[recipe["combine"]](layers, axis=0)
    expected = combined / (sum(recipe["weights"]) if recipe["combine"] == "mean" else 1)
    write_case(name, {"method": "arithmetic", **recipe}, expected, rasters=rasters, tolerance=1e-6 * np.nanmax(np.abs(expected)))


for label, grid in (("degrees", DEGREES), ("utm", UTM), ("mercator", MERCATOR), ("albers", ALBERS), ("dateline", DATELINE), ("dateline-utm", DATELINE_UTM)):
    centres(f"centre-{label}", grid, valued(stars(grid, 25, 0.25, hole=True), 5), 5)
    exact(f"majority-{label}", grid, valued(quilt(grid, 9, 8), 4), 4, "majority")
    exact(f"mean-{label}", grid, valued(stars(grid, 12, 0.3, hole=True) + slivers(grid, 10), 7), 7, "mean", least=0)
centres("centre-slivers", FINE, valued(slivers(FINE, 60) + stars(FINE, 40, 0.02), 3), 3)
centres("centre-quilt", UTM, valued(quilt(UTM, 12, 12), 6), 6)
exact("majority-slivers", FINE, valued(slivers(FINE, 40) + stars(FINE, 30, 0.1, hole=True), 3), 3, "majority", least=0.1)
exact("mean-overlaps", UTM, valued(stars(UTM, 30, 0.4), 9), 9, "mean", least=0.25)


def tracks(grid, count):
    west, south, east, north = corners(grid)
    return [
        LineString(rounded((random.uniform(west - 0.2, east + 0.2), random.uniform(south - 0.2, north + 0.2)) for _ in range(4)))
        for _ in range(count)
    ]


for label, grid in (("degrees", DEGREES), ("utm", UTM), ("albers", ALBERS), ("dateline", DATELINE), ("dateline-utm", DATELINE_UTM)):
    geodesic(f"geodesic-{label}", grid, valued(tracks(grid, 3) + stars(grid, 3, 0.15, hole=True), 2))
geodesic("geodesic-limit", FINE, valued(tracks(FINE, 2), 2), limit=9000)
planar("plane-utm", UTM, valued(tracks(UTM, 3) + stars(UTM, 3, 0.15), 2), 450)
planar("plane-mercator", MERCATOR, valued(stars(MERCATOR, 2, 0.1, hole=True), 2), 650)
proximity("proximity-utm", UTM, [(3, 5), (60, 70), (40, 12), (41, 12)])

WHOLE = part(DEGREES, 0, 0, 90, 70)
mosaic("mosaic-first", WHOLE, [part(DEGREES, 0, 0, 50, 40), part(DEGREES, 40, 0, 50, 40), part(DEGREES, 0, 30, 90, 40)], "first", gaps=True)
mosaic("mosaic-mean", WHOLE, [part(DEGREES, 0, 0, 50, 40), part(DEGREES, 40, 0, 50, 40), part(DEGREES, 0, 30, 90, 40)], "mean", gaps=True)
mosaic("mosaic-minimum", WHOLE, [part(DEGREES, 0, 0, 50, 40), part(DEGREES, 40, 0, 50, 40), part(DEGREES, 0, 30, 90, 40)], "minimum")
mosaic("mosaic-classes", WHOLE, [part(DEGREES, 0, 0, 60, 70), part(DEGREES, 50, 0, 40, 70)], "first", classes=[1, 2, 3, 4, 5])
SHIFTED = ("EPSG:4326", Affine(0.013, 0, 70.003, 0, -0.011, 50.998), 60, 55)
mosaic("mosaic-resampled", DEGREES, [SHIFTED], "first", resampled=1e-3)
# Finer than the source: gdalwarp widens its kernel otherwise.
mosaic("mosaic-projected", FINE, [UTM], "first", resampled=1e-3)
mosaic("mosaic-dateline", DATELINE, [part(DATELINE, 0, 0, 90, 60)], "first")
sums("arithmetic-kelvin", DEGREES, {"combine": "mean", "scale": 1, "offset": -273.15, "above": None, "weights": [1]}, 1)
sums("arithmetic-months", DEGREES, {"combine": "sum", "scale": 1000, "offset": 0, "above": None, "weights": [31, 28, 31]}, 3)
sums("arithmetic-mean", UTM, {"combine": "mean", "scale": 0.1, "offset": 5, "above": None, "weights": [31, 29, 30, 31]}, 4)
sums("arithmetic-active", UTM, {"combine": "sum", "scale": 0.1, "offset": -3, "above": 25, "weights": [31, 29, 30, 31]}, 4)
sums("arithmetic-lowest", UTM, {"combine": "minimum", "scale": 2, "offset": 0, "above": None, "weights": [1, 1, 1]}, 3)
sums("arithmetic-highest", ALBERS, {"combine": "maximum", "scale": -1, "offset": 1, "above": None, "weights": [1, 1]}, 2)
