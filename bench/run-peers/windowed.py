"""The Landscape Program as a script of rasterio and numpy: every node reads its inputs window by window and
writes its output as a COG, as the service does.

usage: windowed.py FOLDER_OF_LEAVES FOLDER_OF_OUTPUTS

The nodes are those of the reference implementation of the tests. Leaves must lie on the grid of `dem.tif`.
"""
import sys
from pathlib import Path

import numpy as np
import rasterio
from rasterio.windows import Window

sys.path.insert(0, str(Path(__file__).parents[2] / 'test/fixtures/landscape'))
import golden

WINDOW = 1024
LUT_SIZE = 8


def use_zone(inputs, params, grid, first_row):
    """Node 33 by a table: the reference decides pixel by pixel, which no script that is meant for use would do."""
    table = np.zeros((LUT_SIZE, LUT_SIZE), np.uint8)
    for s in range(LUT_SIZE):
        for e in range(LUT_SIZE):
            table[s, e] = golden.zone(s, e, params)
    suitability, sensitivity = inputs['31'], inputs['26']
    valid = golden.ok(suitability) & golden.ok(sensitivity)
    return golden.u8(table[suitability, sensitivity], valid)


def main(leaves, outputs):
    readers = {}
    with rasterio.open(leaves / 'dem.tif') as dem:
        size = (dem.height, dem.width)
        affine, crs = dem.transform, dem.crs
    grid = dict(rows=size[0], cols=size[1], top=affine.f, res=(affine.a, -affine.e), crs='projected')
    profile = dict(driver='COG', height=size[0], width=size[1], count=1, crs=crs, transform=affine, compress='deflate',
                   level=1, blocksize=512, num_threads='all_cpus', bigtiff='if_safer')
    for code, _, inputs, halo, _, node in golden.NODES:
        node = use_zone if code == '33' else node
        halo_rows, halo_columns = halo(grid) if halo else (0, 0)
        out = None
        for row in range(0, size[0], WINDOW):
            for column in range(0, size[1], WINDOW):
                height, width = min(WINDOW, size[0] - row), min(WINDOW, size[1] - column)
                top, left = max(0, row - halo_rows), max(0, column - halo_columns)
                bottom, right = min(size[0], row + height + halo_rows), min(size[1], column + width + halo_columns)
                window = Window(left, top, right - left, bottom - top)
                read = {key: read_band(readers, leaves, outputs, key, window) for key in inputs}
                whole = node(read, golden.DEFAULT, grid, top)
                result = whole[row - top:row - top + height, column - left:column - left + width]
                if out is None:
                    is_float = result.dtype == np.float32
                    out = rasterio.open(outputs / f'{code}.tif', 'w', dtype=result.dtype, nodata=golden.ND if is_float else 0,
                                        predictor='floating_point' if is_float else 'no',
                                        overview_resampling='average' if is_float else 'mode', **profile)
                out.write(result, 1, window=Window(column, row, width, height))
        out.close()


def read_band(readers, leaves, outputs, key, window):
    if key not in readers:
        readers[key] = rasterio.open((leaves if key in golden.LEAVES else outputs) / f'{key}.tif', num_threads='all_cpus')
    band = readers[key].read(1, window=window)
    if key not in golden.LEAVES:
        return band
    if key in golden.CATEGORICAL:
        return np.where(np.isin(band, list(golden.CATEGORICAL[key])), band, 0).astype(np.uint8)
    low, high = golden.RANGE[key]
    return golden.f32(band, np.isfinite(band) & (band >= low) & (band <= high))


if __name__ == '__main__':
    main(Path(sys.argv[1]), Path(sys.argv[2]))
