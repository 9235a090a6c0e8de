import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { lineOf } from '../../../areas/unit-lines.ts';
import type { ValueCounts } from '../../engine.ts';
import { valueFaultOf } from '../../parent/plausible.ts';
import { box, seedUnits, sumOf } from '../../../../test/support/areas/areas.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { writeRaster } from '../../../../test/support/geo/geotiffs.ts';
import { openRasterEngineHere } from '../../../../test/support/geo/raster-conversion.ts';
import { isLongTier } from '../../../../test/support/tier.ts';

/** Statistics by exactextract and pyproj; see `unit-values.py` beside this file. */
interface Judged {
  readonly name: string;
  readonly crs: string;
  readonly left: number;
  readonly top: number;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly units: readonly (readonly [code: string, validArea: number, ...figures: (number | null)[]])[];
}

const judged: readonly Judged[] = JSON.parse(await readFile(fixture('earth/unit-values.json'), 'utf8'));
const districts = await seedUnits();
const engine = await closeAfterTests(openRasterEngineHere());

type Raster = Parameters<typeof writeRaster>[1];

function write(name: string, raster: Raster): string {
  const path = join(engine.folder, `${name}.tif`);
  writeRaster(path, raster);
  return path;
}

async function count(path: string, lines: string): Promise<ValueCounts> {
  const unitsPath = join(engine.folder, `units-${performance.now()}.jsonl`);
  await writeFile(unitsPath, lines);
  return await engine.run(
    async (geo, { scratch, signal }) =>
      await geo.countValues({ inputPath: path, unitsPath, scratch, signal }),
    path,
  );
}

const hole = -1;
/** Stored values of all rasters, as in `unit-values.py`. */
function stored(column: number, row: number): number {
  return (7 * column + 11 * row) % 29 === 0 ? hole : (37 * column + 101 * row) % 9973;
}

function validOf({ tuples }: ValueCounts, areas: ValueCounts['raster']): number {
  return sumOf(areas.filter(([tuple]) => tuples[tuple]?.[0] !== null));
}

describe('Statistics of values by unit are those of exactextract over geodesic pixels:', () => {
  for (const { name, crs, left, top, size, width, height, units } of isLongTier ? judged : judged.slice(0, 1))
    test(name, async () => {
      const path = write('judged', {
        width,
        height,
        affine: [left, size, 0, top, 0, -size],
        crs,
        dataType: 'Int16',
        noData: hole,
        scale: 0.001,
        offset: -2,
        value: stored,
      });
      const counts = await count(path, districts);
      const pixel = sumOf(counts.raster) / (width * height);
      assert.equal(units.length, 244);
      for (const [code, validArea, ...figures] of units) {
        const { areas, values } = counts.units.find(({ id }) => id === code) ?? assert.fail(code);
        // For less than a thousand pixels, the float32 shares of exactextract limit the precision.
        const tolerance = validArea / pixel > 1000 ? 1e-6 : 2e-5;
        const check = (what: string, found: number, expected: number, range = Math.abs(expected)) =>
          assert.ok(
            Math.abs(found - expected) <= tolerance * Math.max(range, Math.abs(expected)),
            `${what} of ${code}: ${found}, not ${expected}`,
          );
        check('valid area', validOf(counts, areas), validArea, pixel);
        if (validArea === 0) {
          assert.equal(values, null);
          continue;
        }
        assert.ok(values !== null, code);
        const [min, max, mean, sd, sum, ...quantiles] = figures.map(Number);
        const range = (max ?? NaN) - (min ?? NaN);
        check('min', values.min, min ?? NaN);
        check('max', values.max, max ?? NaN);
        check('mean', values.mean, mean ?? NaN, range);
        check('sd', values.sd ?? NaN, sd ?? NaN, range);
        check('sum', values.sum ?? NaN, sum ?? NaN, (range * validArea) / pixel);
        for (const [i, expected] of quantiles.entries())
          check(`quantile ${i}`, values.quantiles[i] ?? NaN, expected, range);
      }
    });
});

const degrees = { width: 40, height: 30, affine: [60, 0.1, 0, 50, 0, -0.1], epsg: 4326 } as const;
const field = lineOf(
  'field',
  'own',
  JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [60.43, 47.31],
        [63.07, 48.1],
        [61.2, 49.77],
        [60.43, 47.31],
      ],
      [
        [61.11, 48.2],
        [61.5, 48.9],
        [61.9, 48.3],
        [61.11, 48.2],
      ],
    ],
  }),
);

describe('Statistics of values', () => {
  test('have the same bits however a raster is stored', async () => {
    const raster = { ...degrees, width: 700, height: 530, affine: [60, 0.005, 0, 50, 0, -0.005] } as const;
    const value = (column: number, row: number) => Math.sin(column * 1.7) * 1e3 ** Math.cos(row * 0.3);
    const paths = [
      { BLOCKYSIZE: '1' },
      { TILED: 'YES', BLOCKXSIZE: '64', BLOCKYSIZE: '16', COMPRESS: 'DEFLATE' },
      { TILED: 'YES', BLOCKXSIZE: '512', BLOCKYSIZE: '512' },
    ].map((options, i) => write(`stored-${i}`, { ...raster, dataType: 'Float64', options, value }));
    const [first, ...others] = await Promise.all(paths.map(async (path) => await count(path, field)));
    assert.ok((first?.units[0]?.values?.max ?? 0) > 900);
    for (const other of others) assert.deepEqual(other, first);
  });

  test('take NaN, infinity and no data alike, and apply scale and offset', async () => {
    const value = (column: number, row: number) => ((3 * column + 5 * row) % 17) / 4;
    const isHole = (row: number) => row % 3 === 0;
    const holes = [-9, NaN, Infinity];
    const plain = write('plain', {
      ...degrees,
      dataType: 'Float64',
      noData: -9,
      value: (column, row) => (isHole(row) ? -9 : value(column, row)),
    });
    const mixed = write('mixed', {
      ...degrees,
      dataType: 'Float64',
      noData: -9,
      scale: 0.5,
      offset: -1,
      value: (column, row) => (isHole(row) ? (holes[column % 3] ?? -9) : 2 * (value(column, row) + 1)),
    });
    const one = await count(plain, field);
    assert.deepEqual((await count(mixed, field)).units, one.units);
    // GDAL writes signed bytes as unsigned ones.
    const signed = write('signed', {
      ...degrees,
      dataType: 'Byte',
      options: { PIXELTYPE: 'SIGNEDBYTE' },
      noData: -9,
      scale: 0.25,
      value: (column, row) => (isHole(row) ? 256 - 9 : 4 * value(column, row)),
    });
    assert.deepEqual((await count(signed, field)).units, one.units);
  });

  test('of a unit without a value, or beside the raster, are none', async () => {
    const raster = { ...degrees, noData: 0, value: (column: number) => (column < 20 ? 0 : 5) };
    const lines = [
      lineOf('empty', 'own', JSON.stringify(box(60.2, 47.5, 61, 48))),
      lineOf('far', 'own', JSON.stringify(box(80, 47.5, 81, 48))),
      lineOf('same', 'own', JSON.stringify(box(63, 47.5, 63.55, 48))),
    ].join('');
    const counts = await count(write('holes', raster), lines);
    const [empty, far, same] = counts.units;
    assert.deepEqual([empty?.values, far?.values], [null, null]);
    assert.equal(validOf(counts, empty?.areas ?? []), 0);
    const { sum, ...values } = same?.values ?? assert.fail();
    assert.deepEqual(values, { min: 5, max: 5, mean: 5, sd: 0, quantiles: [5, 5, 5, 5, 5, 5, 5] });
    // 5.5 pixels by 5.
    assert.ok(Math.abs((sum ?? NaN) - 5 * 5.5 * 5) < 1e-9);
  });

  test('are refused in words for what has none', async () => {
    const { epsg: _, ...nowhere } = degrees;
    const value = (column: number) => column / 2;
    await assert.rejects(count(write('nowhere', { ...nowhere, value }), field), /contains no location/);
  });
});

test('An answer of a child whose values contradict each other is not believed', async () => {
  const counts = await count(
    write('believed', { ...degrees, value: (column, row) => (column * row) % 7 }),
    field,
  );
  assert.equal(valueFaultOf(counts), undefined);
  const [unit] = counts.units;
  const values = unit?.values;
  assert.ok(unit !== undefined && values);
  const faulty: readonly (readonly [Partial<typeof values>, RegExp])[] = [
    [{ min: values.max + 1 }, /without order/],
    [{ mean: values.max + 1 }, /mean beyond/],
    [{ quantiles: values.quantiles.toReversed() }, /out of order/],
    [{ quantiles: values.quantiles.map((each) => each + 7) }, /quantile beyond/],
    [{ sd: values.max - values.min }, /deviation beyond/],
  ];
  for (const [change, words] of faulty) {
    const units = [{ ...unit, values: { ...values, ...change } }];
    assert.match(valueFaultOf({ ...counts, units }) ?? '', words);
  }
  const emptied = { ...unit, areas: [], outside_m2: unit.area_m2 };
  assert.match(valueFaultOf({ ...counts, units: [emptied] }) ?? '', /another raster|no pixel/);
});
