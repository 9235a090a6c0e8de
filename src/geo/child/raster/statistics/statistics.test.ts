import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { implausibilityOf, plausibleCounts } from '../../../parent/plausible.ts';
import { closeAfterTests } from '../../../../../test/support/for-tests.ts';
import { fixture } from '../../../../../test/support/geo/engine.ts';
import { writeRaster } from '../../../../../test/support/geo/geotiffs.ts';
import { openRasterEngineHere } from '../../../../../test/support/geo/raster-conversion.ts';

const engine = await closeAfterTests(openRasterEngineHere());
const count = async (path: string) => await engine.run((geo, task) => geo.countPixels(task), path);

type Raster = Parameters<typeof writeRaster>[1];
const sinus = { width: 700, height: 500, affine: [60, 0.01, 0, 50, 0, -0.01], epsg: 4326 } as const;
const wave = (column: number, row: number) => Math.fround(300 * Math.sin(column / 50) + row / 7 - 100);

async function countOf(name: string, raster: Raster) {
  const path = join(engine.folder, `${name}.tif`);
  writeRaster(path, raster);
  const { bands, ...whole } = await count(path);
  const [band] = bands;
  assert.ok(band !== undefined && bands.length === 1);
  return { ...whole, band };
}

describe('Statistics are those of every pixel', () => {
  const values = Float64Array.from({ length: 350_000 }, (_, i) => wave(i % 700, Math.floor(i / 700)))
    .filter((value) => value >= -200)
    .toSorted();
  const at = (share: number) => values[Math.ceil(share * values.length) - 1] ?? NaN;

  test('of real numbers, with NaN, no data and infinity alike', async () => {
    const value = (column: number, row: number) => {
      const it = wave(column, row);
      return it >= -200 ? it : ([NaN, -9999, Infinity][(column + row) % 3] ?? 0);
    };
    const { band, width, height, area_ha: area } = await countOf('wave', { ...sinus, noData: -9999, value });
    assert.deepEqual(
      [width, height, band.valid, band.nodata],
      [700, 500, values.length, 350_000 - values.length],
    );
    assert.deepEqual([band.min, band.max, band.classes], [values[0], values.at(-1), null]);
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    assert.ok(Math.abs((band.mean ?? NaN) - mean) < 1e-9);
    const fine = ((values.at(-1) ?? NaN) - (values[0] ?? NaN)) / 65_536;
    assert.ok(
      Math.abs((band.p2 ?? NaN) - at(0.02)) <= fine && Math.abs((band.p98 ?? NaN) - at(0.98)) <= fine,
    );
    const { min, max, counts } = band.histogram ?? assert.fail('there is no histogram');
    assert.ok(counts.length > 128 && counts.length <= 256);
    const wide = (max - min) / counts.length;
    const expected = Array.from(counts, () => 0);
    for (const each of values) {
      const bin = Math.floor((each - min) / wide);
      expected[bin] = (expected[bin] ?? 0) + 1;
    }
    assert.deepEqual(counts, expected);
    const noData = (area ?? NaN) * (band.nodata / 350_000);
    assert.ok(Math.abs((band.no_data_ha ?? NaN) / noData - 1) < 0.02);
  });

  test('of whole numbers, with a class for each', async () => {
    const value = (column: number, row: number) => (row < 250 ? 7 : column < 70 ? 255 : 3);
    const { band, area_ha: area } = await countOf('classes', {
      ...sinus,
      dataType: 'Byte',
      noData: 255,
      value,
    });
    const [three, seven] = band.classes ?? [];
    assert.deepEqual([three?.value, three?.pixels, seven?.value, seven?.pixels], [3, 157_500, 7, 175_000]);
    assert.deepEqual([band.min, band.max, band.p2, band.p98], [3, 7, 3, 7]);
    assert.equal(band.mean, (3 * 157_500 + 7 * 175_000) / 332_500);
    const sum = (three?.hectares ?? NaN) + (seven?.hectares ?? NaN) + (band.no_data_ha ?? NaN);
    assert.ok(Math.abs(sum / (area ?? NaN) - 1) < 1e-12);
    // The northern half of the rows has less land.
    const whole = await countOf('classes-north', { ...sinus, height: 250, dataType: 'Byte', value: () => 7 });
    assert.ok(Math.abs((whole.area_ha ?? NaN) / (seven?.hectares ?? NaN) - 1) < 1e-7);
  });

  test('with scale and offset applied, also those that turn the order', async () => {
    const value = (column: number) => column % 10;
    const { band } = await countOf('scaled', { ...sinus, dataType: 'Int16', scale: -2, offset: 5, value });
    assert.deepEqual([band.min, band.max, band.mean, band.p2, band.p98], [-13, 5, -4, -13, 5]);
    assert.deepEqual(
      band.classes?.map(({ value: each, pixels }) => [each, pixels]),
      Array.from({ length: 10 }, (_, i) => [2 * i - 13, 35_000]),
    );
    assert.deepEqual(band.histogram, { min: -15, max: 5, counts: Array.from({ length: 10 }, () => 35_000) });
    const halves = await countOf('halves', { ...sinus, dataType: 'Int16', scale: 0.5, value });
    assert.deepEqual([halves.band.max, halves.band.classes], [4.5, null]);
  });

  test('of whole numbers that are stored as real ones', async () => {
    const { band } = await countOf('real classes', { ...sinus, value: (column) => (column % 4) - 1 });
    assert.deepEqual(
      band.classes?.map((each) => each.value),
      [-1, 0, 1, 2],
    );
    const many = await countOf('many', { ...sinus, dataType: 'Int32', value: (column) => 1e9 + column });
    assert.deepEqual([many.band.classes, many.band.mean], [null, 1e9 + 349.5]);
  });

  test('of each band, with masks, signs and numbers of which there are no statistics', async () => {
    const rgba = await count(fixture('raster/rgba_full.tif'));
    assert.ok(rgba.bands.length === 4 && rgba.bands.every((band, i) => band.index === i + 1));
    const masked = await count(fixture('raster/mask_1bit.tif'));
    assert.ok((masked.bands[0]?.nodata ?? 0) > 0);
    const signed = await count(fixture('raster/gdal_int8.tif'));
    assert.ok((signed.bands[0]?.max ?? 128) <= 127);
    await assert.rejects(count(fixture('raster/gdal_cfloat32.tif')), /complex numbers, which have no order/);
  });

  test('without hectares where a raster lies nowhere on the earth', async () => {
    const { area_ha: area, bands } = await count(fixture('raster/no_georef.tif'));
    assert.deepEqual([area, bands[0]?.no_data_ha], [null, null]);
    assert.ok(bands[0]?.classes?.every(({ hectares }) => hectares === null) !== false);
  });

  test('and without figures where no pixel has a value', async () => {
    const { band, area_ha: area } = await countOf('empty', { ...sinus, noData: 0, value: () => 0 });
    assert.deepEqual(band, {
      index: 1,
      valid: 0,
      nodata: 350_000,
      min: null,
      max: null,
      mean: null,
      p2: null,
      p98: null,
      percentiles: null,
      histogram: null,
      classes: null,
      no_data_ha: area,
    });
  });

  test('with hundredths that are zero where the least value is zero', async () => {
    const { band } = await countOf('zeros', { ...sinus, value: (column) => column % 64 });
    assert.deepEqual(band.percentiles?.slice(0, 2), [0, 0]);
  });

  test('where one value is far from all others: each hundredth has as many pixels', async () => {
    for (const far of [1e30, -1e30]) {
      const value = (column: number, row: number) =>
        column + row === 0 ? far : (row * 700 + column) / 350_000;
      const { band } = await countOf('far', { ...sinus, scale: far > 0 ? 1 : -2, value });
      const [low = NaN, high = NaN] = [band.percentiles?.[1], band.percentiles?.[99]];
      const ends = far > 0 ? [0.01, 0.99] : [-1.98, -0.02];
      assert.deepEqual([band.p2, band.p98], [band.percentiles?.[2], band.percentiles?.[98]]);
      assert.ok(
        Math.abs(low - (ends[0] ?? 0)) < 0.002 && Math.abs(high - (ends[1] ?? 0)) < 0.002,
        `${low} ${high}`,
      );
      assert.equal(band.percentiles?.at(-1), Math.fround(1e30) * (far > 0 ? 1 : 2));
      assert.equal(band.percentiles?.length, 101);
    }
  });
});

test('Statistics have the same bits however the pixels are stored', async () => {
  const layouts = [
    {},
    { TILED: 'YES' },
    { TILED: 'YES', BLOCKXSIZE: '64', BLOCKYSIZE: '16' },
    { BLOCKYSIZE: '1', COMPRESS: 'DEFLATE' },
  ];
  const utm = {
    width: 900,
    height: 600,
    affine: [-1_100_000, 3000, 0, 6_200_000, 0, -3000],
    epsg: 32_642,
  } as const;
  for (const [dataType, value] of [
    ['Float32', (column: number, row: number) => (column % 11 === 3 ? 0 : wave(column, row))],
    ['Byte', (column: number, row: number) => (column * row) % 5],
  ] as const) {
    const [first, ...others] = await Promise.all(
      layouts.map(
        async (options, i) =>
          await countOf(`${dataType}-${i}`, { ...utm, dataType, noData: 0, options, value }),
      ),
    );
    assert.ok((first?.band.no_data_ha ?? 0) > 0);
    for (const other of others) assert.deepEqual(other, first);
  }
});

test('Statistics come with the COG of a small raster, where all of it is on the earth', async () => {
  const convert = async (name: string, raster: Raster) => {
    const path = join(engine.folder, `${name}.tif`);
    writeRaster(path, raster);
    return await engine.run((geo, task) => geo.convertRaster(task), path);
  };
  const small = await convert('small', { ...sinus, noData: -9999, value: wave });
  const { findings: _findings, ...counts } = { findings: undefined, ...(await count(small.cogPath)) };
  assert.deepEqual(small.counts, counts);
  assert.equal((await convert('wide', { ...sinus, width: 2100, value: wave })).counts, undefined);
  const beyond = await convert('beyond', { ...sinus, affine: [60, 0.01, 0, 91, 0, -0.01], value: wave });
  assert.equal(beyond.counts, undefined);
});

test('A child that contradicts itself is not believed', async () => {
  const value = (column: number) => column % 3;
  const path = join(engine.folder, 'plain.tif');
  writeRaster(path, { ...sinus, dataType: 'Byte', noData: 2, value });
  const counts = await count(path);
  const [band] = counts.bands;
  assert.ok(band?.histogram && band.classes);
  const { histogram, classes } = band;
  const wrong = [
    { valid: 1 },
    { index: 2 },
    { max: null },
    { min: 2 },
    { mean: 9 },
    { p2: 1, p98: 0 },
    { percentiles: band.percentiles?.toReversed() },
    { histogram: { ...histogram, counts: [1, 2] } },
    { histogram: { ...histogram, min: 1 } },
    { classes: classes.slice(1) },
    { classes: classes.toReversed() },
    { classes: classes.map((each) => ({ ...each, hectares: 1 })) },
    { classes: classes.map((each) => ({ ...each, hectares: null })) },
    { no_data_ha: null },
    { no_data_ha: 1e12 },
  ];
  assert.equal(implausibilityOf(counts), undefined);
  for (const each of wrong)
    assert.notEqual(
      implausibilityOf({ ...counts, bands: [{ ...band, ...each }] }),
      undefined,
      JSON.stringify(each),
    );
  assert.notEqual(implausibilityOf({ ...counts, width: 3 }), undefined);
  const { width, height } = counts;
  assert.equal(plausibleCounts(counts, { width, height }), counts);
  for (const each of [null, { width: height, height: width }])
    assert.equal(plausibleCounts(counts, each), undefined);
  assert.equal(plausibleCounts({ ...counts, area_ha: 1 }, { width, height }), undefined);
});
