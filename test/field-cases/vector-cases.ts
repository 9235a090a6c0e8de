import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { numbersIn } from '../acceptance/support/geojson.ts';
import type { createAsking } from '../support/hostile/hostile-vectors.ts';
import { type FieldCase, plain, readCase } from './case.ts';

type Asking = ReturnType<typeof createAsking>;

/** Rows of a vector, codes of its warnings, and its extent. */
async function readVector(asking: Asking, path: string) {
  const { text, findings } = await asking.vector(await asking.put(await readCase(path), extname(path)));
  const [feature] = JSON.parse(text).features;
  return {
    text,
    rows: plain<readonly unknown[]>(feature?.properties.rows ?? []),
    numbers: numbersIn(feature?.geometry.coordinates),
    codes: findings.warnings.map(({ code }) => code),
    messageOf: (code: string) => findings.warnings.find((each) => each.code === code)?.message ?? '',
    source: findings.source,
  };
}

/** Columns of a table, and cells by column in the order of rows. */
async function readTable(asking: Asking, path: string) {
  const { columns, rowsPath } = await asking.table(await asking.put(await readCase(path), extname(path)));
  const lines = (await readFile(rowsPath, 'utf8')).trimEnd().split('\n');
  const rows: readonly (readonly unknown[])[] = lines.map((line) => JSON.parse(line));
  return { columns, cellsOf: (column: string) => rows.map((row) => row[columns.indexOf(column)] ?? null) };
}

async function refused(asking: Asking, path: string, sentence: RegExp): Promise<void> {
  await asking.refused(await asking.put(await readCase(path), extname(path)), sentence);
}

function assertNear(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  assert.equal(actual.length, expected.length);
  for (const [index, value] of expected.entries())
    assert.ok(
      Math.abs((actual[index] ?? NaN) - value) <= tolerance,
      `${actual.join()} for ${expected.join()}`,
    );
}

const edgesOf = (numbers: readonly number[]): number[] => {
  const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, index) => index % 2 === axis));
  return [Math.min(...(xs ?? [])), Math.min(...(ys ?? [])), Math.max(...(xs ?? [])), Math.max(...(ys ?? []))];
};

export const vectorCases: readonly FieldCase<Asking>[] = [
  {
    slug: 'crs-says-degrees-data-metres',
    text: 'metres under a .prj of degrees are refused',
    async check(asking) {
      const path = 'crs-says-degrees-data-metres/wgs84_prj_utm_coords.zip';
      await refused(asking, path, /500000.*coordinate reference system/);
    },
  },
  {
    slug: 'geojson-bigint',
    text: 'digits beyond a double stay in the properties',
    async check(asking) {
      const { text } = await readVector(asking, 'geojson-bigint/bigint.geojson');
      const first = '{"id":2305843009223239036,"kato":110000000,"v":18446744073709551616,"w":1.10,"e":1e400}';
      assert.ok(text.includes(first), text);
      assert.ok(text.includes('"kato":1.5e8'), text);
    },
  },
  {
    slug: 'gpkg-spatial-view',
    text: 'a registered view is read, and other layers are named',
    async check(asking) {
      const all = await readVector(asking, 'gpkg-spatial-view/view_only.gpkg');
      assert.deepEqual(all.rows, [
        { kato: '110000000', v: 1.5 },
        { kato: '150000000', v: 2.5 },
        { kato: '190000000', v: 3.5 },
      ]);
      assert.match(all.messageOf('layers_left_out'), /v_reaches/);
      const view = await readVector(asking, 'gpkg-spatial-view/view_joined_only.gpkg');
      assert.equal(view.source?.layer, 'v_reaches');
      assert.deepEqual(
        view.rows.map((row) => Object.entries(Object(row)).map(([key, cell]) => [key, Number(cell)])),
        [
          [
            ['code', 110_000_000],
            ['v10', 15],
          ],
          [
            ['code', 150_000_000],
            ['v10', 25],
          ],
        ],
      );
    },
  },
  {
    slug: 'gpkg-srs-undefined-definition',
    text: 'an undefined definition is that of its number, an own number counts by its definition, a missing one is refused',
    async check(asking) {
      for (const name of ['undef.gpkg', 'custom_id.gpkg']) {
        const { numbers, rows } = await readVector(asking, `gpkg-srs-undefined-definition/${name}`);
        assertNear(edgesOf(numbers), [69.8, 49.8, 71.2, 50.2], 2e-7);
        assert.deepEqual(rows, [
          { kato: '110000000', v: 1.5 },
          { kato: '150000000', v: 2.5 },
        ]);
      }
      await refused(asking, 'gpkg-srs-undefined-definition/missing_row.gpkg', /coordinate reference system/);
    },
  },
  {
    slug: 'gpkg-wal-beside',
    text: 'edits in a log beside a GeoPackage count, and without the log it is refused',
    async check(asking) {
      const edited = await readVector(asking, 'gpkg-wal-beside/qfield_wal.zip');
      assert.deepEqual(edited.rows, [
        { kato: '110000000', v: 1000 },
        { kato: '150000000', v: 2.5 },
        { kato: '190000000', v: 99 },
      ]);
      assert.deepEqual(edited.codes, []);
      const whole = await readVector(asking, 'gpkg-wal-beside/all_in_wal.zip');
      assert.deepEqual(whole.rows, [
        { kato: '110000000', v: 1.5 },
        { kato: '150000000', v: 2.5 },
      ]);
      await refused(asking, 'gpkg-wal-beside/all_in_wal.gpkg', /[Cc]lose the program/);
    },
  },
  {
    slug: 'qaztrf',
    text: 'QazTRF-23 is known by its code and by the names of Esri',
    async check(asking) {
      for (const [path, code] of [
        ['qaztrf/qaz_gk12.geojson', 'EPSG:10946'],
        ['qaztrf/qaz_geo.geojson', 'EPSG:10941'],
        ['qaztrf/qaz_fields.zip', 'EPSG:10946'],
      ] as const) {
        const { numbers, codes, source } = await readVector(asking, path);
        assert.deepEqual([source?.crs, codes], [code, []], path);
        assertNear(numbers.slice(0, 2), [71.43, 51.13], 1e-7);
      }
    },
  },
  {
    slug: 'shp-unknown-datum',
    text: 'a datum without a way to WGS 84 is warned of, and those with one are where they are',
    async check(asking) {
      const folder = 'shp-unknown-datum';
      const pulkovo = await readVector(asking, `${folder}/pulkovo42_gk12.zip`);
      assertNear(pulkovo.numbers, [68.9990756, 50.9807566, 69.8617467, 51.4270227], 1.5e-7);
      const shifted = await readVector(asking, `${folder}/pulkovo42_mapinfo_towgs.zip`);
      assertNear(shifted.numbers, [68.9990124, 50.9805626, 69.8616813, 51.4268278], 1.5e-7);
      const unknown = await readVector(asking, `${folder}/krasovsky_unknown.zip`);
      assertNear(unknown.numbers, [69, 50.9803592, 69.8626569, 51.4266067], 1.5e-7);
      assert.deepEqual([pulkovo.codes, shifted.codes, unknown.codes], [[], [], ['datum_unknown']]);
      await refused(asking, `${folder}/no_prj_zone_prefix.zip`, /\.prj/);
    },
  },
  {
    slug: 'zip-names',
    text: 'an archive is read whatever its names are written in',
    async check(asking) {
      const archives = [
        ['backslash.zip', 'roads'],
        ['cp1251_names.zip', 'Районы'],
        ['cp866_names.zip', 'Районы Акмолы'],
        ['cp866_with_unicode_extra.zip', 'Районы'],
        ['dd.zip', 'roads'],
        ['utf8_noflag_macos.zip', 'Райойны'],
        ['zip64.zip', 'roads'],
        ['zip64_dd.zip', 'roads'],
      ] as const;
      for (const [name, layer] of archives) {
        const { rows, source } = await readVector(asking, `zip-names/${name}`);
        assert.deepEqual(rows, [
          { ATE: 'Алматы', KATO: '110000000' },
          { ATE: 'Щучинск', KATO: '150000000' },
        ]);
        const found = String(source?.layer).normalize('NFC');
        assert.equal(found, layer, name);
      }
    },
  },
  {
    slug: 'gpkg-loose-types',
    text: 'cells are what SQLite stores, whatever type the column declares',
    async check(asking) {
      const { cellsOf } = await readTable(asking, 'gpkg-loose-types/loose.gpkg');
      for (const [column, cells] of Object.entries({
        i: [12.7, '1 234', 'abc'],
        r: ['н/д', '1 234,5', ''],
        m: [99_999_999_999, '-', 7],
        b: [2, 'да', 'false'],
        d: ['2020-05-06', '20200506', '06.05.2020'],
      }))
        assert.deepEqual(cellsOf(column), cells, column);
    },
  },
  {
    slug: 'gpkg-spatial-view',
    text: 'a computed column of a view has numbers',
    async check(asking) {
      const { cellsOf } = await readTable(asking, 'gpkg-spatial-view/view_joined_only.gpkg');
      assert.deepEqual(cellsOf('v10'), [15, 25]);
    },
  },
  {
    slug: 'json-that-is-not-geojson',
    text: 'a byte-order mark does no harm',
    async check(asking) {
      const { text } = await readVector(asking, 'json-that-is-not-geojson/bom.geojson');
      assert.deepEqual(JSON.parse(text).features, []);
    },
  },
  ...(
    [
      ['comments.geojson', /not valid JSON.*line 1, column 3/],
      ['covjson.geojson', /CoverageJSON/],
      ['cp1251.geojson', /UTF-8/],
      ['error.geojson', /error answer of a service/],
      ['esri.geojson', /Esri JSON.*ogr2ogr/],
      ['featurelist.geojson', /Put "type": "FeatureCollection"/],
      ['geojson_z.geojson', /"features"/],
      ['overpass.geojson', /Overpass.*osmtogeojson/],
      ['records.geojson', /list of records in its member "data"/],
      ['topo.geojson', /TopoJSON/],
      ['trailing.geojson', /not valid JSON.*line 1, column/],
    ] as const
  ).map(([name, sentence]) => ({
    slug: 'json-that-is-not-geojson',
    text: `${name} is refused by what it is, and the sentence says the way out`,
    async check(asking: Asking) {
      for (const each of [sentence, /upload|export|correct/i])
        await refused(asking, `json-that-is-not-geojson/${name}`, each);
    },
  })),
];
