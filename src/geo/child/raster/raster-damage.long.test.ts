import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { Problem } from '../../../lib/errors.ts';
import { UnprocessableFile } from '../../engine.ts';
import { compareRasters } from '../../../../tools/compare/compare-rasters.ts';
import { createConversion } from '../../../../test/support/geo/raster-conversion.ts';
import { fixture, openTestEngine } from '../../../../test/support/geo/engine.ts';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';

/** Files that lose only overviews when they are cut; the overviews are made again. */
const endInOverviews = ['bigtiff_cog.tif'];

const folder = await temporaryFolder();

describe('A damaged raster', () => {
  /** Path of the COG; undefined when the file is refused. */
  async function cogOf(bytes: Uint8Array): Promise<string | undefined> {
    try {
      return (await createConversion(folder).convertBytes(bytes)).cogPath;
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return undefined;
    }
  }

  /** Cuts a file at every twentieth of its length and by its last byte; returns the cuts that became a COG. */
  async function takenCuts(path: string): Promise<readonly number[]> {
    const whole = await readFile(path);
    const lengths = Array.from({ length: 19 }, (_, step) => Math.floor((whole.length * (step + 1)) / 20));
    const taken: number[] = [];
    for (const length of [...lengths, whole.length - 1]) {
      const cog = await cogOf(whole.subarray(0, length));
      if (cog === undefined) continue;
      taken.push(length);
      assert.deepEqual(await compareRasters(path, cog, folder), [], `${path} cut to ${length} bytes`);
    }
    return taken;
  }

  test('that is cut is refused, or only its overviews were cut off', async () => {
    const names = (await readdir(fixture('raster'))).filter((name) => name.endsWith('.tif'));
    const taken: string[] = [];
    for (const name of names) {
      const cuts = await takenCuts(fixture(`raster/${name}`));
      // The last four bytes of a COG repeat others and do not contain pixels.
      const size = (await readFile(fixture(`raster/${name}`))).length;
      if (cuts.some((length) => length < size - 4)) taken.push(name);
    }
    assert.deepEqual(taken, endInOverviews);
  });

  test('that is cut is refused whatever the compression', async () => {
    const variants: readonly (readonly [from: string, ...args: string[]])[] = [
      ...['LZW', 'PACKBITS', 'LZMA', 'ZSTD', 'LERC_ZSTD', 'JPEG', 'WEBP'].map(
        (way) => ['rgba_full', '-b', '1', '-b', '2', '-b', '3', '-co', `COMPRESS=${way}`] as const,
      ),
      ...['CCITTRLE', 'CCITTFAX3', 'CCITTFAX4'].map(
        (way) => ['oddsize1bit', '-co', 'NBITS=1', '-co', `COMPRESS=${way}`] as const,
      ),
    ];
    const available = gdal.drivers.get('GTiff').getMetadata()['DMD_CREATIONOPTIONLIST'] ?? '';
    for (const [from, ...args] of variants) {
      if (!available.includes(`<Value>${args.at(-1)?.split('=')[1]}</Value>`)) continue;
      const path = join(folder, 'variant.tif');
      gdal.translate(path, gdal.open(fixture(`raster/${from}.tif`)), args).close();
      assert.deepEqual(await takenCuts(path), [], args.at(-1));
    }
  });

  test('that loses its mask is refused', async () => {
    gdal.config.set('GDAL_TIFF_INTERNAL_MASK', 'YES');
    const path = join(folder, 'masked.tif');
    const args = ['-b', '1', '-b', '2', '-b', '3', '-mask', '4'];
    gdal.translate(path, gdal.open(fixture('raster/rgba_full.tif')), args).close();
    const whole = await readFile(path);
    assert.ok((await cogOf(whole)) !== undefined);
    assert.deepEqual(await takenCuts(path), []);
  });

  test('whose tables tell half of a block is refused', async () => {
    const path = join(folder, 'strips.tif');
    gdal.translate(path, gdal.open(fixture('raster/srtm_zion.tif')), ['-co', 'BLOCKYSIZE=100']).close();
    const whole = await readFile(path);
    assert.ok((await cogOf(whole)) !== undefined);
    const lengths = Buffer.alloc(8);
    [93_000, 93_000].forEach((length, index) => lengths.writeUInt32LE(length, index * 4));
    const at = whole.indexOf(lengths);
    assert.ok(at > 0, 'the table of strip lengths is found');
    whole.writeUInt32LE(0, at + 4);
    assert.equal(await cogOf(whole), undefined);
  });

  test('of any public collection is refused by a child, with what was found until then', async () => {
    const engine = await openTestEngine();
    const damaged = (await readdir(fixture('raster-damaged'))).filter((name) => name.endsWith('.tif'));
    assert.ok(damaged.length >= 15);
    const sentences = new Map<string, string>();
    let described = 0;
    for (const name of damaged) {
      await assert.rejects(
        engine.run((geo, task) => geo.convertRaster(task), fixture(`raster-damaged/${name}`)),
        (error) => {
          assert.ok(error instanceof UnprocessableFile, `${name}: ${String(error)}`);
          sentences.set(name, error.message);
          if (error.findings.raster !== null) described += 1;
          return true;
        },
      );
    }
    assert.ok(described > 5);
    assert.match(sentences.get('unknown_compression.tif') ?? '', /compressed in a way/);
    assert.match(sentences.get('byte_truncated.tif') ?? '', /cut short or damaged/);
    await engine.close();
  });
});
