import assert from 'node:assert/strict';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import type { BandFile, MovedBlock } from '../compute/landscape-engine.ts';
import { zoningNodes } from '../graph/zoning-inputs.ts';
import { estimateShare, sampleBlocks } from './sample-blocks.ts';
import { LandscapeParams } from '../model/params.ts';
import { type Tile, tilesOf, windowsOf } from '../model/tiles.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';
import { writeRaster } from '../../../test/support/geo/geotiffs.ts';
import { readPart } from '../../../test/support/landscape/landscape-engine.ts';
import { openRasterEnginesHere } from '../../../test/support/geo/raster-engine-here.ts';
import { writeLandscape } from '../../../test/support/landscape/steppe-landscape.ts';
import { isLongTier, turnOf } from '../../../test/support/tier.ts';

const { landscape } = await openRasterEnginesHere();
const folder = await temporaryFolder();
const { signal } = new AbortController();
const sources = writeLandscape(folder, { width: 448, height: 384 });
const { grid } = await landscape.inspect({ work: { sources }, scratch: folder, signal });
assert.ok(grid !== undefined);
const params = LandscapeParams.parse({});
const nodes = zoningNodes(() => false).map(({ code }) => code);
const moved = ['dem', 'precipitation', 'ndvi'];
const delta = 0.1;

const moveOn = async (blocks: readonly Tile[]): Promise<readonly MovedBlock[]> =>
  await landscape.moveInputs({
    work: { grid, params, nodes, sources, moved, delta, blocks: [...blocks] },
    scratch: folder,
    signal,
  });

/** Classes of the zoning over the whole grid, as a run computes them. */
async function zonesOver(files: readonly BandFile[]): Promise<Uint8Array> {
  const own = await mkdtemp(join(folder, 'run-'));
  const windows = [...windowsOf({ width: 448, height: 384 }, 512)];
  await mkdir(join(own, 'parts'));
  const work = { grid: gridOfAll(), params, nodes, sources: [...files], windows, folder: join(own, 'parts') };
  const { parts } = await landscape.compute({
    files: work,
    batch: Promise.resolve(work),
    scratch: own,
    signal,
  });
  const [path = ''] = parts.find(({ code }) => code === '34')?.paths ?? [];
  const [part] = [...readPart(path, [...tilesOf(windows)])];
  assert.equal(part?.pixels.length, 448 * 384);
  return part.pixels;
}

function gridOfAll() {
  assert.ok(grid !== undefined);
  return grid;
}

/** The sources with all values of one of them multiplied. */
async function scaled(key: string, factor: number): Promise<BandFile[]> {
  const path = sources.find((source) => source.key === key)?.path ?? '';
  const copy = join(await mkdtemp(join(folder, 'scaled-')), `${key}.tif`);
  const from = gdal.open(path);
  const { noDataValue, scale, size, pixels } = from.bands.get(1);
  const values = pixels.read(0, 0, size.x, size.y);
  const affine = from.geoTransform ?? [];
  const [left = 0, resX = 0, , top = 0, , resY = 0] = affine;
  writeRaster(copy, {
    width: size.x,
    height: size.y,
    epsg: 32642,
    affine: [left, resX, 0, top, 0, resY],
    noData: -32_768,
    value: (x, y) => {
      const value = values[y * size.x + x] ?? 0;
      return value === noDataValue ? value : Math.fround(value * (scale ?? 1)) * factor;
    },
  });
  from.close();
  return sources.map((source) => (source.key === key ? { key, path: copy } : source));
}

const whole = await moveOn(sampleBlocks(grid).flatMap(({ blocks }) => [...blocks]));
const sum = (of: (block: MovedBlock) => number | undefined) =>
  whole.reduce((total, block) => total + (of(block) ?? 0), 0);
const zoned = sum((block) => block.zoned);
const before = await zonesOver(sources);

describe('moved inputs', () => {
  for (const [index, key] of moved.entries()) {
    // Inputs with another grid are interpolated before they are moved, so that their last digits differ.
    if (key === 'precipitation') continue;
    const ways = [
      ['decreased', 1 - delta],
      ['increased', 1 + delta],
    ] as const;
    for (const [name, factor] of isLongTier ? ways : turnOf(ways, index / 2)) {
      test(`${key} ${name} changes what a run over such a raster changes`, async () => {
        const after = await zonesOver(await scaled(key, factor));
        const zones = before.filter((code) => code !== 0).length;
        const changed = before.filter((code, i) => code !== 0 && code !== after[i]).length;
        const found = sum((block) => block[name][index]) / zoned;
        assert.ok(changed > 0, 'the input matters');
        // Pixels of a projected grid are nearly equal: those of this grid differ by less than 0.2 %.
        assert.ok(Math.abs(found - changed / zones) < 0.002 * found, `${found}, not ${changed / zones}`);
      });
    }
  }

  test('shares of a sample lie within three standard errors of those of the whole', async () => {
    const strata = sampleBlocks(gridOfAll(), { strata: 6, perStratum: 3, seed: 1 });
    const all = await moveOn(strata.flatMap(({ blocks }) => [...blocks]));
    let from = 0;
    const blocks = strata.map((stratum) => ({
      size: stratum.size,
      blocks: all.slice(from, (from += stratum.blocks.length)),
    }));
    for (const [index, key] of moved.entries()) {
      for (const name of ['decreased', 'increased'] as const) {
        const looked = blocks.map(({ size, blocks: its }) => ({
          size,
          blocks: its.map((block) => ({ whole: block.zoned, found: block[name][index] ?? 0 })),
        }));
        const { share, standardError } = estimateShare(looked);
        const truth = sum((block) => block[name][index]) / zoned;
        assert.ok(standardError > 0 && standardError < 0.2, `${key} ${name} ± ${standardError}`);
        assert.ok(Math.abs(share - truth) <= 3 * standardError, `${key} ${name}: ${share}, not ${truth}`);
      }
    }
  });

  test('an input that is moved by next to nothing changes next to nothing', async () => {
    const blocks = sampleBlocks(gridOfAll()).flatMap((stratum) => stratum.blocks.slice(0, 1));
    const work = { grid: gridOfAll(), params, nodes, sources, moved, delta: 1e-9, blocks };
    const all = await landscape.moveInputs({ work, scratch: folder, signal });
    assert.equal(
      all.every(({ decreased, increased }) => Math.max(...decreased, ...increased) === 0),
      true,
    );
  });
});
