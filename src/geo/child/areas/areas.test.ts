import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { AreaCounts } from '../../engine.ts';
import { areaFaultOf } from '../../parent/plausible.ts';
import {
  box,
  byValue,
  countWith,
  type GivenUnit,
  seedUnits,
  sumOf,
} from '../../../../test/support/areas/areas.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { writeRaster } from '../../../../test/support/geo/geotiffs.ts';
import { openRasterEngineHere } from '../../../../test/support/geo/raster-conversion.ts';

/** Areas by exactextract and pyproj; see `unit-areas.py` beside this file. */
interface Judged {
  readonly name: string;
  readonly crs: string;
  readonly left: number;
  readonly top: number;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  /** By class, the first one for no data. */
  readonly whole: readonly number[];
  readonly units: readonly (readonly [code: string, area: number, ...classes: number[]])[];
}

const judged: readonly Judged[] = JSON.parse(await readFile(fixture('earth/unit-areas.json'), 'utf8'));
const districts = await seedUnits();
const engine = await closeAfterTests(openRasterEngineHere());

type Raster = Parameters<typeof writeRaster>[1];

function write(name: string, raster: Raster): string {
  const path = join(engine.folder, `${name}.tif`);
  writeRaster(path, raster);
  return path;
}

/** Pixels of all rasters, as in `unit-areas.py`. */
function valueAt(column: number, row: number): number {
  if ((7 * column + 11 * row) % 29 === 0) return 0;
  return 1 + ((Math.floor(column / 5) + 2 * Math.floor(row / 4)) % 3);
}

function assertSums({ raster, units, sets }: AreaCounts): void {
  const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(one, other);
  for (const { id, areas, area_m2: area, outside_m2: outside } of units)
    assert.ok(isNear(sumOf(areas) + outside, area), id);
  for (const { set, outside, overlap } of sets) {
    const own = units.filter((unit) => unit.set === set).reduce((sum, { areas }) => sum + sumOf(areas), 0);
    assert.ok(isNear(own + sumOf(outside) - sumOf(overlap), sumOf(raster)), set);
  }
}

describe('Areas of classes by unit are those of exactextract over geodesic pixels:', () => {
  /** Code of the smallest unit, 1,817 ha. */
  const smallest = '751110000';
  for (const { name, crs, left, top, size, width, height, whole, units } of judged)
    test(name, async () => {
      const affine = [left, size, 0, top, 0, -size] as const;
      const path = write('judged', {
        width,
        height,
        affine,
        crs,
        dataType: 'Byte',
        noData: 0,
        value: valueAt,
      });
      const counts = await countWith(engine, [path], districts);
      assertSums(counts);
      const total = byValue(counts, counts.raster);
      for (const [value, area] of whole.entries())
        assert.ok(Math.abs((total.get(value) ?? 0) / area - 1) < 1e-6, `class ${value}`);
      const pixel = sumOf(counts.raster) / (width * height);
      assert.equal(units.length, 244);
      for (const [code, area, ...classes] of units) {
        const found = counts.units.find(({ id }) => id === code) ?? assert.fail(code);
        const own = byValue(counts, found.areas);
        const [isLarge, inside] = [area / pixel > 1000, classes.reduce((sum, each) => sum + each, 0)];
        const tolerance = isLarge ? 1e-6 : code === smallest ? 1e-4 : 5e-6;
        for (const [value, expected] of classes.entries())
          assert.ok(
            Math.abs((own.get(value) ?? 0) - expected) <= tolerance * area + 0.1,
            `class ${value} of ${code}: ${own.get(value)}, not ${expected}`,
          );
        // Within a pixel the area is spread evenly, which matters to units of only a few pixels.
        const ofUnit = isLarge ? 1e-5 : 1e-3;
        assert.ok(Math.abs(found.area_m2 / area - 1) < ofUnit, `${code}: ${found.area_m2}, not ${area}`);
        assert.ok(Math.abs(found.outside_m2 - (area - inside)) <= ofUnit * area, `outside of ${code}`);
        if (inside === 0) assert.equal(found.outside_m2, found.area_m2);
      }
    });
});

const degrees = { width: 40, height: 30, affine: [60, 0.1, 0, 50, 0, -0.1], epsg: 4326 } as const;
const field: GivenUnit = {
  id: 'field',
  geometry: {
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
  },
};
const stripes = (column: number) => 1 + (Math.floor(column / 3) % 4);

describe('Areas', () => {
  test('have the same bits however a raster is stored', async () => {
    const raster = { ...degrees, width: 700, height: 530, affine: [60, 0.005, 0, 50, 0, -0.005] } as const;
    const value = (column: number, row: number) => (column * row) % 5;
    const stored = [
      { BLOCKYSIZE: '1' },
      { TILED: 'YES', BLOCKXSIZE: '64', BLOCKYSIZE: '16', COMPRESS: 'DEFLATE' },
      { TILED: 'YES', BLOCKXSIZE: '512', BLOCKYSIZE: '512' },
    ].map((options, i) => write(`stored-${i}`, { ...raster, dataType: 'Int16', noData: 3, options, value }));
    const [first, ...others] = await Promise.all(
      stored.map(async (path) => await countWith(engine, [path], [field])),
    );
    for (const other of others) assert.deepEqual(other, first);
  });

  test('of no data, NaN and infinity are alike, and scale and offset are applied', async () => {
    const holes = [7, NaN, Infinity];
    const plain = write('plain', {
      ...degrees,
      noData: 7,
      value: (column, row) => (row % 3 === 0 ? 7 : stripes(column)),
    });
    const mixed = write('mixed', {
      ...degrees,
      noData: 7,
      scale: 2,
      offset: -1,
      value: (column, row) => (row % 3 === 0 ? (holes[column % 3] ?? 7) : stripes(column)),
    });
    const [one, other] = [
      await countWith(engine, [plain], [field]),
      await countWith(engine, [mixed], [field]),
    ];
    assert.deepEqual(one.tuples, [[1], [2], [3], [4], [null]]);
    assert.deepEqual(other.tuples, [[1], [3], [5], [7], [null]]);
    assert.deepEqual(other.units, one.units);
    // GDAL writes signed bytes as unsigned ones.
    const signed = write('signed', {
      ...degrees,
      dataType: 'Byte',
      options: { PIXELTYPE: 'SIGNEDBYTE' },
      noData: -7,
      value: (column, row) => (row % 3 === 0 ? 256 - 7 : stripes(column)),
    });
    assert.deepEqual((await countWith(engine, [signed], [field])).units, one.units);
  });

  test('of several rasters are those of each combination of their values', async () => {
    const [one, other] = [
      write('one', { ...degrees, dataType: 'Byte', noData: 0, value: (column) => column % 3 }),
      write('other', { ...degrees, dataType: 'Int16', noData: -1, value: (_, row) => (row % 2) - 1 }),
    ];
    const both = await countWith(engine, [one, other], [field]);
    assert.deepEqual(both.tuples, [
      [1, 0],
      [1, null],
      [2, 0],
      [2, null],
      [null, 0],
      [null, null],
    ]);
    assertSums(both);
    const single = await countWith(engine, [one], [field]);
    const ones = both.units[0]?.areas.filter(([tuple]) => both.tuples[tuple]?.[0] === 1) ?? [];
    const expected = byValue(single, single.units[0]?.areas ?? []).get(1) ?? NaN;
    assert.ok(Math.abs(sumOf(ones) / expected - 1) < 1e-12);
  });

  test('of units that overlap say so, and the union has each place once', async () => {
    const units = [
      { id: 'left', geometry: box(60.5, 47.5, 62.5, 49.5) },
      { id: 'right', geometry: box(61.55, 48.05, 63.5, 49) },
      // A self-intersecting border is repaired: two triangles.
      {
        id: 'crossed',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [60.1, 47.1],
              [60.4, 47.4],
              [60.4, 47.1],
              [60.1, 47.4],
              [60.1, 47.1],
            ],
          ],
        },
      },
    ];
    const path = write('overlap', { ...degrees, dataType: 'Byte', value: stripes });
    const counts = await countWith(engine, [path], units, { withUnion: true });
    assertSums(counts);
    const areaOf = (name: string) => counts.units.find(({ id }) => id === name)?.area_m2 ?? NaN;
    const shared = await countWith(engine, [path], [{ id: 'shared', geometry: box(61.55, 48.05, 62.5, 49) }]);
    const overlap = sumOf(counts.sets.find(({ set }) => set === 'own')?.overlap ?? []);
    // One side of the shared area runs through pixels, whose shares are spread evenly.
    assert.ok(Math.abs(overlap / (shared.units[0]?.area_m2 ?? NaN) - 1) < 1e-4);
    const parts = areaOf('left') + areaOf('right') + areaOf('crossed') - (shared.units[0]?.area_m2 ?? NaN);
    assert.ok(Math.abs(areaOf('union') / parts - 1) < 1e-4);
    assert.ok(areaOf('crossed') > 0.4 * sumOf(counts.raster) * (0.09 / 12));
  });

  test('of polygons whose rings overlap are those of the land that remains', async () => {
    const ring = (west: number, east: number) => box(west, 48, east, 49).coordinates[0] ?? [];
    const polygon = (id: string, ...rings: readonly (readonly (readonly number[])[])[]) => ({
      id,
      geometry: { type: 'Polygon', coordinates: rings },
    });
    const path = write('rings', { ...degrees, dataType: 'Byte', value: stripes });
    const units = [
      polygon('a hole beyond its ring', ring(61, 62), ring(61.5, 62.5)),
      {
        id: 'parts that overlap',
        geometry: { type: 'MultiPolygon', coordinates: [[ring(61, 61.4)], [ring(61.2, 61.5)]] },
      },
      polygon('half', ring(61, 61.5)),
    ];
    const { units: counted } = await countWith(engine, [path], units);
    const areas = new Map(counted.map(({ id, area_m2 }) => [id, area_m2]));
    const half = areas.get('half') ?? Number.NaN;
    for (const [id, area] of areas) assert.ok(Math.abs(area / half - 1) < 1e-9, `${id}: ${area} and ${half}`);
    await assert.rejects(
      countWith(engine, [path], [polygon('nothing', ring(61, 62), ring(61, 62))]),
      /the polygon of nothing has no area/,
    );
  });

  test('across 180°, around a pole and over a raster that is wider than the earth add up', async () => {
    const far = [
      {
        id: 'chukotka',
        geometry: {
          type: 'MultiPolygon',
          coordinates: [box(170, 60, 180, 70), box(-180, 60, -170, 70)].map(({ coordinates }) => coordinates),
        },
      },
      { id: 'arctic', geometry: box(-180, 75, 180, 90) },
    ];
    /** Rasters in several CRS. The expected areas are those between two parallels of the ellipsoid. */
    const rasters: readonly (readonly [name: string, raster: Omit<Raster, 'value'>])[] = [
      ['degrees', { width: 400, height: 100, affine: [160, 0.1, 0, 75, 0, -0.2], epsg: 4326 }],
      ['from 0 to 360', { width: 720, height: 360, affine: [0, 0.5, 0, 90, 0, -0.5], epsg: 4326 }],
      [
        'Web Mercator',
        { width: 300, height: 300, affine: [18_500_000, 10_000, 0, 12_000_000, 0, -20_000], epsg: 3857 },
      ],
      [
        'polar',
        { width: 700, height: 700, affine: [-3_500_000, 10_000, 0, 3_500_000, 0, -10_000], epsg: 3995 },
      ],
      ['UTM', { width: 200, height: 200, affine: [200_000, 5000, 0, 7_800_000, 0, -5000], epsg: 32_660 }],
    ];
    for (const [name, raster] of rasters) {
      const path = write('far', { ...raster, dataType: 'Byte', value: stripes });
      const counts = await countWith(engine, [path], far);
      assertSums(counts);
      const [chukotka, arctic] = counts.units.map(({ area_m2: area }) => area);
      assert.ok(Math.abs((chukotka ?? NaN) / 1_050_528_324_728 - 1) < 1e-5, `${name}: ${chukotka}`);
      assert.ok(Math.abs((arctic ?? NaN) / 8_764_211_107_099 - 1) < 1e-5, `${name}: ${arctic}`);
    }
  });

  test('are refused in words for what has none', async () => {
    const refused = async (raster: Raster, words: RegExp, options = {}) =>
      await assert.rejects(countWith(engine, [write('refused', raster)], [field], options), words);
    const value = (column: number, row: number) => column + 40 * row;
    await refused({ ...degrees, value }, /more than 256 different values/);
    await refused({ ...degrees, value: (column) => column / 2 }, /not whole numbers/);
    await refused({ ...degrees, dataType: 'Byte', value: stripes }, /more than 3 different/, {
      maxClasses: 3,
    });
    const { epsg: _, ...nowhere } = degrees;
    await refused({ ...nowhere, value: stripes }, /contains no location/);
    const moved = write('moved', { ...degrees, affine: [60.05, 0.1, 0, 50, 0, -0.1], value: stripes });
    const there = write('there', { ...degrees, value: stripes });
    await assert.rejects(countWith(engine, [there, moved], [field]), /not have the same pixels/);
    const line = {
      id: 'line',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [60, 48],
            [61, 48],
            [60, 48],
            [60, 48],
          ],
        ],
      },
    };
    await assert.rejects(countWith(engine, [there], [line]), /polygon of line has no area/);
  });
});

test('An answer of a child whose areas contradict each other is not believed', async () => {
  const path = write('believed', { ...degrees, dataType: 'Byte', value: stripes });
  const counts = await countWith(engine, [path], [field]);
  assert.equal(areaFaultOf(counts, 1), undefined);
  const [unit] = counts.units;
  const [set] = counts.sets;
  assert.ok(unit !== undefined && set !== undefined);
  const faulty: readonly (readonly [AreaCounts, RegExp])[] = [
    [{ ...counts, units: [{ ...unit, area_m2: unit.area_m2 * 1.001 }] }, /another area than its parts/],
    [{ ...counts, sets: [{ ...set, overlap: set.outside }] }, /units of another raster/],
    [{ ...counts, units: [{ ...unit, areas: unit.areas.toReversed() }] }, /out of order/],
    [{ ...counts, tuples: counts.tuples.map(() => [1, 2]) }, /other rasters/],
    [{ ...counts, units: [{ ...unit, set: 'other' }] }, /another raster|no set/],
  ];
  for (const [counted, words] of faulty) assert.match(areaFaultOf(counted, 1) ?? '', words);
});
