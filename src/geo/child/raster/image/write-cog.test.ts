import assert from 'node:assert/strict';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { createConversion } from '../../../../../test/support/geo/raster-conversion.ts';
import { temporaryFolder } from '../../../../../test/support/for-tests.ts';
import { readTiffLayout } from '../../../formats/tiff/layout.ts';
import { describeRaster } from './description.ts';
import { openGdalLog } from '../../../gdal/log-file.ts';
import { isWholeCog } from './write-cog.ts';

const folder = await temporaryFolder();
const { convertBytes } = createConversion(folder);
const side = 1100;

/** Writes a COG of integers with one or two overviews; returns its path. */
function makeCog(name: string, options: Readonly<Record<string, string>> = {}): string {
  const pixels = Uint16Array.from({ length: side * side }, (_, i) => (i * i) >> 9);
  const plain = gdal.open(join(folder, `${name}.plain.tif`), 'w', 'GTiff', side, side, 1, 'UInt16');
  plain.bands.get(1).pixels.write(0, 0, side, side, pixels);
  const path = join(folder, `${name}.tif`);
  const all = { COMPRESS: 'DEFLATE', PREDICTOR: 'STANDARD', BLOCKSIZE: '256', ...options };
  gdal.drivers.get('COG').createCopy(path, plain, all).close();
  plain.close();
  return path;
}

async function isWhole(path: string): Promise<boolean> {
  const cog = gdal.open(path);
  try {
    return await isWholeCog(path, cog, describeRaster(cog), { gdalLog: await openGdalLog(folder) });
  } finally {
    cog.close();
  }
}

describe('A COG of deflated tiles', () => {
  test('is known to be whole by its checksums, one that is compressed otherwise is not', async () => {
    assert.equal(await isWhole(makeCog('deflated')), true);
    assert.equal(await isWhole(makeCog('lzw', { COMPRESS: 'LZW' })), false);
  });

  test('is not whole with a predictor that GDAL cannot undo, and refused', async () => {
    const path = makeCog('predicted');
    assert.equal(await isWhole(path), true);
    const bytes = await readFile(path);
    // Tag of the predictor, a short: 2 is horizontal differencing, 3 is for floats only.
    const tag = Buffer.from([0x3d, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00]);
    const at = bytes.indexOf(tag);
    assert.ok(at > 0);
    bytes[at + tag.length - 2] = 3;
    await assert.rejects(convertBytes(bytes), /pixels/);
  });

  test('with a damaged pixel is refused, with a damaged overview made again', async () => {
    const path = makeCog('damaged');
    const whole = await readFile(path);
    await using file = await open(path);
    const [main, overview] = (await readTiffLayout(file)).directories;
    const kept = await convertBytes(whole);
    assert.equal(kept.findings.raster?.cog?.passed_through, true);
    const damagedAt = (position = 0) => {
      const damaged = Buffer.from(whole);
      damaged[position] = (damaged[position] ?? 0) ^ 0x10;
      return damaged;
    };
    await assert.rejects(convertBytes(damagedAt((main?.firstDataOffset ?? 0) + 200)), /pixels/);
    const anew = await convertBytes(damagedAt((overview?.firstDataOffset ?? 0) + 200));
    assert.equal(anew.findings.raster?.cog?.passed_through, false);
  });
});
