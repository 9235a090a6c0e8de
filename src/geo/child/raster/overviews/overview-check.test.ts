import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { createConversion } from '../../../../../test/support/geo/raster-conversion.ts';
import { temporaryFolder } from '../../../../../test/support/for-tests.ts';
import { describeRaster } from '../image/description.ts';
import { overviewsFit } from './overview-check.ts';
import type { SurveyedBand } from '../image/pixels.ts';

const folder = await temporaryFolder();
const { convert } = createConversion(folder);

interface Made {
  readonly type?: string;
  readonly side?: number;
  readonly noData?: number;
  /** Values of its overviews if they differ from the raster. */
  readonly shownAt?: (x: number, y: number) => number;
  readonly options?: Readonly<Record<string, string>>;
  readonly valueAt: (x: number, y: number) => number;
}

let made = 0;

/** Writes a COG with GDAL; its overviews use `resampling`, or GDAL's default. */
function makeCog(raster: Made, resampling?: string): string {
  const { type = 'Byte', side = 560, noData, options = {}, valueAt, shownAt } = raster;
  made += 1;
  const plain = gdal.open(join(folder, `plain-${made}.tif`), 'w', 'GTiff', side, side, 1, type);
  plain.srs = gdal.SpatialReference.fromEPSG(32_642);
  plain.geoTransform = [500_000, 10, 0, 5_600_000, 0, -10];
  const band = plain.bands.get(1);
  if (noData !== undefined) band.noDataValue = noData;
  const write = (at: (x: number, y: number) => number) =>
    band.pixels.write(
      ...([0, 0, side, side] as const),
      Float64Array.from({ length: side * side }, (_, index) => at(index % side, Math.floor(index / side))),
    );
  if (shownAt !== undefined) {
    write(shownAt);
    plain.buildOverviews('NEAREST', [2]);
  }
  write(valueAt);
  const path = join(folder, `cog-${made}.tif`);
  const chosen = resampling === undefined ? {} : { OVERVIEW_RESAMPLING: resampling };
  const all = { COMPRESS: 'DEFLATE', BLOCKSIZE: '256', ...chosen, ...options };
  gdal.drivers.get('COG').createCopy(path, plain, all).close();
  plain.close();
  return path;
}

/** Checks the overviews of a raster: without a survey by its pixels alone, or with known classes. */
async function fitsOf(path: string, surveyed?: SurveyedBand): Promise<boolean> {
  const cog = gdal.open(path);
  const fits = await overviewsFit(cog, describeRaster(cog), surveyed && [surveyed]);
  cog.close();
  return fits;
}

async function outcomeOf(path: string) {
  const { cogPath, findings } = await convert(path);
  const isKept = findings.raster?.cog?.passed_through === true;
  assert.equal(isKept, cogPath === path);
  const cog = gdal.open(cogPath);
  const overview = cog.bands.get(1).overviews.get(0);
  const shown = new Set(overview.pixels.read(0, 0, overview.size.x, overview.size.y));
  return {
    isKept,
    warnings: findings.warnings.map(({ code, sentence }) => [code, ...(sentence?.facts ?? [])].join(' ')),
    shown: shown.size > 9 ? undefined : [...shown].toSorted((one, other) => one - other),
  };
}

/** Patches of the classes 10, 30 and 60, with edges everywhere. */
const patches = (x: number, y: number) => [10, 30, 60][(Math.floor(x / 7) + Math.floor(y / 5)) % 3] ?? 0;
const hills = (x: number, y: number) =>
  1000 + 300 * Math.sin(x / 40) + 200 * Math.cos(y / 30) + ((x * 7 + y * 13) % 5);

describe('A COG of classes', () => {
  test("has overviews of its own in place of GDAL's default, which blends", async () => {
    const expected = { isKept: false, warnings: ['overviews_replaced true'], shown: [10, 30, 60] };
    assert.deepEqual(await outcomeOf(makeCog({ valueAt: patches })), expected);
    // GDAL reads blocks without checksums; raster calculators write codes as floats.
    const lzw = { type: 'Float32', valueAt: patches, options: { COMPRESS: 'LZW' } };
    assert.deepEqual(await outcomeOf(makeCog(lzw, 'AVERAGE')), expected);
  });

  test('whose overviews blend nothing is kept, byte by byte', async () => {
    const expected = { isKept: true, warnings: [], shown: [10, 30, 60] };
    assert.deepEqual(await outcomeOf(makeCog({ valueAt: patches }, 'MODE')), expected);
  });
});

describe('The overviews of classes', () => {
  for (const resampling of ['NEAREST', 'MODE'])
    test(`fit by ${resampling}`, async () => {
      assert.ok(await fitsOf(makeCog({ valueAt: patches }, resampling)));
    });

  for (const resampling of ['AVERAGE', 'BILINEAR', 'LANCZOS', 'CUBIC'])
    test(`do not fit by ${resampling}`, async () => {
      const path = makeCog({ valueAt: patches }, resampling);
      const surveyed = { areClasses: true, values: new Set([10, 30, 60]) };
      assert.deepEqual([await fitsOf(path), await fitsOf(path, surveyed)], [false, false]);
    });

  test('do not fit where a few pixels of a large raster are blended', async () => {
    const oneEdge = (x: number, y: number) => (x > 1801 && y > 1801 && x < 1901 && y < 1901 ? 30 : 10);
    assert.equal(await fitsOf(makeCog({ side: 2200, valueAt: oneEdge })), false);
    assert.ok(await fitsOf(makeCog({ side: 2200, valueAt: oneEdge }, 'MODE')));
  });

  test('fit where a few classes of a finer raster are in other places, and not where many are', async () => {
    const shifted = (every: number) => (x: number, y: number) => (x % every < 2 && y % every < 2 ? 60 : 10);
    const valueAt = (x: number, y: number) => (x > 540 && y > 540 ? 60 : 10);
    assert.ok(await fitsOf(makeCog({ valueAt, shownAt: shifted(200) })));
    assert.equal(await fitsOf(makeCog({ valueAt, shownAt: shifted(20) })), false);
  });

  test('do not fit where they have a gap and the raster has none', async () => {
    const shownAt = (x: number, y: number) => (patches(x, y) === 60 ? 255 : patches(x, y));
    assert.equal(await fitsOf(makeCog({ valueAt: patches, noData: 255, shownAt })), false);
    assert.ok(await fitsOf(makeCog({ valueAt: shownAt, noData: 255, shownAt })));
  });
});

describe('The overviews of measurements', () => {
  for (const resampling of [undefined, 'AVERAGE', 'NEAREST', 'LANCZOS', 'MODE'])
    test(`fit by ${resampling ?? "GDAL's default"}`, async () => {
      assert.ok(await fitsOf(makeCog({ type: 'Float32', valueAt: hills }, resampling)));
      assert.ok(await fitsOf(makeCog({ type: 'Int16', valueAt: hills }, resampling)));
    });

  test('fit beside gaps, and with a compression that changes values a little', async () => {
    const holes = (x: number, y: number) => (((x >> 5) + (y >> 6)) % 3 === 0 ? -9999 : hills(x, y));
    assert.ok(await fitsOf(makeCog({ type: 'Float32', noData: -9999, valueAt: holes })));
    const noisy = (x: number, y: number) => hills(x, y) / 8;
    assert.ok(await fitsOf(makeCog({ valueAt: noisy, options: { COMPRESS: 'JPEG', QUALITY: '60' } })));
  });

  test('of another raster do not fit, and are replaced', async () => {
    const path = makeCog({ type: 'Float32', valueAt: hills, shownAt: (x, y) => hills(x, y) + 900 });
    const { isKept, warnings } = await outcomeOf(path);
    assert.deepEqual({ isKept, warnings }, { isKept: false, warnings: ['overviews_replaced false'] });
  });
});
