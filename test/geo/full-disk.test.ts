import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import type { TiledRaster } from '../../src/geo/engine.ts';
import { createTileEncoder } from '../../src/geo/child/raster/part-file.ts';
import { MiB } from '../../src/lib/units.ts';
import { tilesOf, windowsOf } from '../../src/landscape/model/tiles.ts';
import { openTestEngine } from '../support/geo.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const engineModule = new URL('../support/geo.ts', import.meta.url).href;
const side = 1024;

const engine = await closeAfterTests(openTestEngine());

describe('A disk without room for a COG', () => {
  /** 1 MiB that cannot be compressed: with its overviews, the COG is larger. */
  const noise = randomBytes(side * side);

  /** Runs a task while no file may be larger than `bytes`: that behaves like a full disk, and needs no rights. */
  async function outcomeWithin(
    bytes: number,
    method: 'convertRaster' | 'assembleRasters',
    input: object,
  ): Promise<string> {
    const scratch = await mkdtemp(join(engine.folder, 'scratch-'));
    const program = `
      const { openGdalEngine } = await import(${JSON.stringify(engineModule)});
      const engine = await openGdalEngine({ deadlineSeconds: 120, log: { info() {}, warn() {} } });
      const task = { ...${JSON.stringify({ ...input, scratch })}, signal: new AbortController().signal };
      await engine.${method}(task).then(
        () => process.stdout.write('done'),
        (error) => process.stdout.write(error.name + ': ' + error.message),
      );`;
    const node = [process.execPath, '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `ulimit -f ${bytes / 512}; exec "$0" "$@"`,
      ...node,
    ]);
    return stdout;
  }

  test('is to blame when an upload is converted, not the file', async () => {
    const inputPath = join(engine.folder, 'noise.tif');
    const source = gdal.open(inputPath, 'w', 'GTiff', side, side, 1, 'Byte');
    source.bands.get(1).pixels.write(0, 0, side, side, noise);
    source.close();
    assert.match(
      await outcomeWithin(0.5 * MiB, 'convertRaster', { inputPath }),
      /^ResourceError: the geo engine lacks resources/,
    );
    assert.equal(await outcomeWithin(2 * MiB, 'convertRaster', { inputPath }), 'done');
  });

  test('is to blame when tiles are assembled, before the COG is begun and after', async () => {
    const tiles = [...tilesOf(windowsOf({ width: side, height: side }, side))];
    const pixels = { width: side, height: side, dataType: 'Byte', noData: 0 } as const;
    const encoder = createTileEncoder({ ...pixels, tiles, path: join(engine.folder, 'noise') });
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
    for (const tooLittle of [0.5 * MiB, 1.125 * MiB]) {
      assert.match(
        await outcomeWithin(tooLittle, 'assembleRasters', { rasters: [raster] }),
        /^ResourceError: the geo engine lacks resources/,
      );
    }
    assert.equal(await outcomeWithin(2 * MiB, 'assembleRasters', { rasters: [raster] }), 'done');
  });
});
