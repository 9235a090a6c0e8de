"""Draws tiles with rio-tiler in this process, twice, and prints the processor seconds of each time.

Usage: draw_tiles.py JOB, a file of JSON with the paths of two copies of a COG, tiles, and colours for values or a range of them.
"""

import json
import sys
import time

from rio_tiler.colormap import cmap
from rio_tiler.io import Reader


def draw(path, tile, colormap, stretch):
    zoom, x, y = tile
    with Reader(path) as cog:
        image = cog.tile(x, y, zoom)
    if stretch is not None:
        image.rescale(in_range=(tuple(stretch),))
    return image.render(img_format="PNG", colormap=colormap)


def main(job_path):
    with open(job_path) as file:
        job = json.load(file)
    colours = job.get("colours")
    colormap = cmap.get("cividis") if colours is None else {int(value): tuple(rgba) for value, rgba in colours.items()}
    stretch = job.get("stretch")
    draw(job["other"], job["tiles"][0], colormap, stretch)
    seconds = []
    for _ in range(2):
        started = time.process_time()
        for tile in job["tiles"]:
            draw(job["path"], tile, colormap, stretch)
        seconds.append(time.process_time() - started)
    print(json.dumps({"cold": seconds[0], "warm": seconds[1]}))


if __name__ == "__main__":
    main(sys.argv[1])
