"""Compares tiles of a running service with rasterio, PROJ and numpy, pixel by pixel.

Usage: judge.py BASE_URL MANIFEST TILES_PER_ZOOM. The manifest lists cases with the id of their dataset. Prints one line of
JSON for each.
"""

import json
import math
import sys

import numpy as np
from asking import ask, tile_of
from colouring import image_of
from places import Place, levels_of, native_zoom, tiles_over
from reading import open_level, open_raster, sizes_of

NEIGHBOURS = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)]
"""A level may be taken by another measure of the screen's pixel than the one here, within these bounds."""
LEAST, MOST = 0.85, 1.15


def judge(base_url, case, tiles_per_zoom):
    """Counts the pixels of tiles over a raster: at its own scale, one zoom above and two below, and one of 512 pixels.

    With one tile for each zoom, rasters take turns: half of them at their own scale and far below, the others beside it.
    """
    with open_raster(case["path"]) as raster:
        place = Place(raster)
    levels = levels_of(sizes_of(case["path"]))
    native = native_zoom(place)
    outcome = {"name": case["name"], "native": native, "tiles": 0, "inside": 0, "exact": 0, "outside": 0, "wrong": []}
    outcome["tilejson"] = ask(f"{base_url}/datasets/{case['id']}/tilejson.json").json()
    images = {}

    def image(level):
        if level not in images:
            with open_level(case["path"], level) as raster:
                images[level] = np.pad(image_of(raster, case["paint"]).astype("uint8"), ((1, 1), (1, 1), (0, 0)))
        return images[level]

    least, most = outcome["tilejson"]["minzoom"], outcome["tilejson"]["maxzoom"]
    zooms = (native, native + 1, native - 1, native - 2)
    if tiles_per_zoom == 1:
        zooms = (native, native - 2) if case["turn"] % 2 == 0 else (native + 1, native - 1)
    for zoom in zooms:
        if not least <= zoom <= most:
            continue
        for index, (x, y) in enumerate(tiles_over(place, zoom, tiles_per_zoom)):
            scales = (1, 2) if zoom == native and index == 0 else (1,)
            for scale in scales:
                judge_tile(base_url, case, (zoom, x, y), scale, place, levels, image, outcome)
    return outcome


def judge_tile(base_url, case, tile, scale, place, levels, image, outcome):
    zoom, x, y = tile
    size = 256 * scale
    suffix = "@2x" if scale == 2 else ""
    path = f"/datasets/{case['id']}/tiles/{zoom}/{x}/{y}{suffix}.png"
    drawn = tile_of(base_url + path, size)
    columns, rows = place.pixels_of(tile, size)
    tolerance = case["paint"].get("tolerance", 0)
    candidates = [
        compared(drawn, image(level), columns, rows, levels[level], tolerance)
        for level in sorted(admissible(columns, rows, levels))
    ]
    best = min(candidates, key=lambda counts: (counts["wrong"], -counts["exact"]))
    outcome["tiles"] += 1
    for key in ("inside", "exact", "outside"):
        outcome[key] += best[key]
    if best["wrong"] > 0:
        outcome["wrong"].append({"path": path, "pixels": best["wrong"], "first": best["first"]})


def admissible(columns, rows, levels):
    """Numbers of the levels that may be sampled: the coarsest whose pixel is at most 1.2 times the screen's."""
    with np.errstate(invalid="ignore"):
        steps = [np.abs(np.diff(part, axis=axis)) for part in (columns, rows) for axis in (0, 1)]
    finite = [step[np.isfinite(step)] for step in steps]
    largest = [np.percentile(step, 99) for step in finite if step.size > 0]
    spans = [np.ptp(part[np.isfinite(part)]) / len(part) for part in (columns, rows) if np.isfinite(part).any()]
    # The largest step of one pixel, and the mean over the tile, along that axis which is more coarse.
    measures = [max(largest, default=1), max(spans, default=1)]
    found = {level_at(measure * share, levels) for measure in measures for share in (LEAST, 1, MOST)}
    return range(min(found), max(found) + 1)


def level_at(density, levels):
    fitting = [index for index, (factor, _) in enumerate(levels) if factor <= density * 1.2]
    return max(fitting, default=0)


def compared(drawn, framed, columns, rows, level, tolerance):
    """Counts pixels that are the exact one, and those that are none of the nine around it; the image has a frame of one clear pixel."""
    _, (across, down) = level
    height, width = (side - 2 for side in framed.shape[:2])
    with np.errstate(invalid="ignore"):
        column = np.where(np.isfinite(columns), np.floor(columns * across), -9)
        row = np.where(np.isfinite(rows), np.floor(rows * down), -9)
    is_inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)

    def is_same(row, column, pixels):
        at_row = np.clip(row + 1, 0, height + 1).astype(int)
        at_column = np.clip(column + 1, 0, width + 1).astype(int)
        return np.abs(framed[at_row, at_column].astype(int) - pixels).max(axis=-1) <= tolerance

    exact = is_same(row, column, drawn)
    others = ~exact
    found = np.zeros(np.count_nonzero(others), bool)
    for down_by, right_by in NEIGHBOURS:
        found |= is_same(row[others] + down_by, column[others] + right_by, drawn[others])
    wrong = np.zeros(drawn.shape[:2], bool)
    wrong[others] = ~found
    counts = {
        "inside": int(is_inside.sum()),
        "exact": int((exact & is_inside).sum()),
        "outside": int((~is_inside & exact).sum()),
        "wrong": int(wrong.sum()),
    }
    if counts["wrong"] > 0:
        j, i = np.argwhere(wrong)[0]
        place = [float(columns[j, i]), float(rows[j, i])]
        counts["first"] = {"at": [int(i), int(j)], "drawn": drawn[j, i].tolist(), "source": place}
    return counts


def compare_view(case):
    """The largest difference between the pixels of a COG and of the copy that is drawn in its place."""
    if case["path"] == case["cog"]:
        return 0
    with open_raster(case["cog"]) as cog, open_raster(case["path"]) as view:
        if (cog.width, cog.height, cog.count) != (view.width, view.height, view.count):
            return math.inf
        return float(np.abs(cog.read().astype("f8") - view.read().astype("f8")).max())


def main(base_url, manifest, tiles_per_zoom):
    with open(manifest) as file:
        cases = json.load(file)
    for case in cases:
        print(json.dumps(outcome_of(base_url, case, int(tiles_per_zoom))), flush=True)


def outcome_of(base_url, case, tiles_per_zoom):
    if "failure" in case:
        return case
    try:
        return {**judge(base_url, case, tiles_per_zoom), "viewDiffersBy": compare_view(case)}
    except Exception as error:  # of one raster, which is reported as such
        return {"name": case["name"], "failure": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main(*sys.argv[1:])
