import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import gdal from 'gdal-async';
import type { TiledRaster } from '../engine.ts';
import { createTileEncoder } from '../child/raster/part-file.ts';
import { MiB } from '../../lib/units.ts';
import { tilesOf, windowsOf } from '../../landscape/model/tiles.ts';
import { geoEntry } from './engine-request.ts';
import { childEnvironment } from './sandbox/isolation.ts';
import { foreignDrivers } from '../child-program.ts';
import { askChild } from '../../../test/support/geo/engine.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';

const entry = fileURLToPath(geoEntry);
const side = 1024;
const folder = await temporaryFolder();

describe('A disk without room for a COG', () => {
  /** 1 MiB of incompressible data: with its overviews, the COG is larger. */
  const noise = randomBytes(side * side);

  /** Sends a task to a child with a limit on the size of files, which acts like a full disk and needs no privileges. */
  async function outcomeWithin(fileBytes: number, task: object): Promise<string> {
    const scratch = await mkdtemp(join(folder, 'scratch-'));
    const env = childEnvironment(scratch, foreignDrivers(gdal.drivers.getNames(), 'raster'));
    return (await askChild(entry, { ...task, scratch }, env, fileBytes)).outcome;
  }

  test('is to blame when an upload is converted, not the file', async () => {
    const inputPath = join(folder, 'noise.tif');
    const source = gdal.open(inputPath, 'w', 'GTiff', side, side, 1, 'Byte');
    source.bands.get(1).pixels.write(0, 0, side, side, noise);
    source.close();
    const task = { task: 'raster', inputPath };
    assert.equal(await outcomeWithin(0.5 * MiB, task), 'no-resources');
    assert.equal(await outcomeWithin(2 * MiB, task), 'done');
  });

  test('is to blame when tiles are assembled, before the COG is begun and after', async () => {
    const tiles = [...tilesOf(windowsOf({ width: side, height: side }, side))];
    const pixels = { width: side, height: side, dataType: 'Byte', noData: 0 } as const;
    const encoder = createTileEncoder({ ...pixels, tiles, path: join(folder, 'noise') });
    for (const tile of tiles) {
      const rows = Array.from({ length: tile.height }, (_, row) => {
        const from = (tile.y + row) * side + tile.x;
        return noise.subarray(from, from + tile.width);
      });
      await encoder.put(tile, new Uint8Array(Buffer.concat(rows)));
    }
    await encoder.finish();
    const raster: TiledRaster = {
      ...pixels,
      left: 300_000,
      top: 5_700_000,
      resX: 30,
      resY: 30,
      wkt: gdal.SpatialReference.fromEPSG(32642).toWKT(),
      parts: [{ paths: encoder.paths, tiles }],
    };
    const task = { task: 'assemble', rasters: [raster] };
    for (const tooLittle of [0.5 * MiB, 1.125 * MiB])
      assert.equal(await outcomeWithin(tooLittle, task), 'no-resources');
    assert.equal(await outcomeWithin(2 * MiB, task), 'done');
  });
});
