import assert from 'node:assert/strict';
import type { Client } from '../acceptance/client.ts';
import { process } from '../acceptance/support/datasets.ts';
import { numbersIn, readReport, readVector } from '../acceptance/support/geojson.ts';
import { caseFile, type FieldCase, plain } from './case.ts';

/** The rows of a vector, its codes of warnings and where it lies. */
async function readCase(client: Client, path: string) {
  const { dataset, collection } = await readVector(client, await caseFile(path));
  const report = await readReport(client, dataset.id);
  const [feature] = collection.features;
  return {
    rows: plain(feature?.properties.rows ?? []),
    numbers: numbersIn(feature?.geometry.coordinates),
    codes: report.warnings.map(({ code }) => code),
    messageOf: (code: string) => report.warnings.find((each) => each.code === code)?.message ?? '',
    report,
  };
}

async function refusalOf(client: Client, path: string): Promise<string> {
  return (await process(client, 'failed', await caseFile(path))).parse_error ?? '';
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

export const vectorCases: readonly FieldCase[] = [
  ...(
    [
      ['cpg_1251_data_utf8.zip', 'windows-1251', 'UTF-8'],
      ['cpg_1252_data_1251.zip', 'windows-1252', 'windows-1251'],
      ['cpg_866_data_1251.zip', '866', 'windows-1251'],
      ['cpg_iso88591_data_1251.zip', '8859-1', 'windows-1251'],
      ['cpg_utf8_data_1251.zip', 'UTF-8', 'windows-1251'],
    ] as const
  ).map(([name, declared, used]) => ({
    slug: 'cpg-lies',
    text: `${name} is read as ${used}, and the warning names both`,
    async check(client: Client) {
      const { rows, codes, messageOf, report } = await readCase(client, `cpg-lies/${name}`);
      assert.deepEqual(rows, [{ NAME: 'Алматы облысы' }, { NAME: 'Щучинск Ёлки' }]);
      assert.equal(report.source?.['encoding'], used);
      assert.deepEqual(codes, ['encoding_overruled']);
      assert.ok(messageOf('encoding_overruled').includes(declared), messageOf('encoding_overruled'));
      assert.ok(messageOf('encoding_overruled').includes(used), messageOf('encoding_overruled'));
    },
  })),
  {
    slug: 'crs-says-degrees-data-metres',
    text: 'metres under a .prj of degrees are refused',
    async check(client) {
      const sentence = await refusalOf(client, 'crs-says-degrees-data-metres/wgs84_prj_utm_coords.zip');
      assert.match(sentence, /500000.*coordinate reference system/);
    },
  },
  {
    slug: 'dbf-duplicate-names',
    text: 'columns of one name are all kept',
    async check(client) {
      const { rows } = await readCase(client, 'dbf-duplicate-names/dup.zip');
      const columns = ['KATO', 'Население_', 'Население__2', 'POP_TOTAL_', 'POP_TOTA_1'];
      const [first, second] = rows.map((row) => Object.values(Object(row)));
      assert.deepEqual(
        [first, second],
        [
          ['110000000', 1, 2, 3, 4],
          ['150000000', 5, 6, 7, 8],
        ],
      );
      assert.deepEqual(Object.keys(Object(rows[0])).slice(0, 4), columns.slice(0, 4));
    },
  },
  {
    slug: 'dbf-null-markers',
    text: 'every mark of a missing value is null, and every row has every key',
    async check(client) {
      const { rows, codes } = await readCase(client, 'dbf-null-markers/dbf_nulls.zip');
      const missing = { AREA: null, CNT: null, DT: null, OK: null, F: null };
      assert.deepEqual(rows, [
        { NAME: 'one', AREA: 12.5, CNT: 7, DT: '2020-01-31', OK: 'T', F: 1.5 },
        { NAME: 'stars', ...missing },
        { NAME: 'zerodate', ...missing, AREA: 0, CNT: 0, OK: 'N' },
        { NAME: 'blank', ...missing },
        { NAME: 'exp', AREA: 1500, CNT: 12, DT: '20201340', OK: 'Y', F: null },
        { NAME: 'nan', AREA: null, CNT: 0, DT: '1899-12-31', OK: 'f', F: null },
      ]);
      assert.deepEqual(codes, ['dates_impossible']);
    },
  },
  {
    slug: 'geojson-bigint',
    text: 'digits beyond a double stay in the properties',
    async check(client) {
      const { text } = await readVector(client, await caseFile('geojson-bigint/bigint.geojson'));
      const first = '{"id":2305843009223239036,"kato":110000000,"v":18446744073709551616,"w":1.10,"e":1e400}';
      assert.ok(text.includes(first), text);
      assert.ok(text.includes('"kato":1.5e8'), text);
    },
  },
  {
    slug: 'geojson-feature-ids',
    text: 'ids of features are a column',
    async check(client) {
      const { rows, codes } = await readCase(client, 'geojson-feature-ids/ids_vector.geojson');
      assert.deepEqual(rows, [
        { id: '110000000', name: 'Акмолинская', 2020: 1 },
        { id: '150000000', name: 'Актюбинская', 2020: 2 },
      ]);
      assert.deepEqual(codes, []);
    },
  },
  {
    slug: 'gpkg-spatial-view',
    text: 'a registered view is read, and other layers are named',
    async check(client) {
      const all = await readCase(client, 'gpkg-spatial-view/view_only.gpkg');
      assert.deepEqual(all.rows, [
        { kato: '110000000', v: 1.5 },
        { kato: '150000000', v: 2.5 },
        { kato: '190000000', v: 3.5 },
      ]);
      assert.match(all.messageOf('layers_left_out'), /v_reaches/);
      const view = await readCase(client, 'gpkg-spatial-view/view_joined_only.gpkg');
      assert.equal(view.report.source?.['layer'], 'v_reaches');
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
    async check(client) {
      for (const name of ['undef.gpkg', 'custom_id.gpkg']) {
        const { numbers, rows } = await readCase(client, `gpkg-srs-undefined-definition/${name}`);
        assertNear(edgesOf(numbers), [69.8, 49.8, 71.2, 50.2], 2e-7);
        assert.deepEqual(rows, [
          { kato: '110000000', v: 1.5 },
          { kato: '150000000', v: 2.5 },
        ]);
      }
      const sentence = await refusalOf(client, 'gpkg-srs-undefined-definition/missing_row.gpkg');
      assert.match(sentence, /coordinate reference system/);
    },
  },
  {
    slug: 'gpkg-wal-beside',
    text: 'edits in a log beside a GeoPackage count, and without the log it is refused',
    async check(client) {
      const edited = await readCase(client, 'gpkg-wal-beside/qfield_wal.zip');
      assert.deepEqual(edited.rows, [
        { kato: '110000000', v: 1000 },
        { kato: '150000000', v: 2.5 },
        { kato: '190000000', v: 99 },
      ]);
      assert.deepEqual(edited.codes, []);
      const whole = await readCase(client, 'gpkg-wal-beside/all_in_wal.zip');
      assert.deepEqual(whole.rows, [
        { kato: '110000000', v: 1.5 },
        { kato: '150000000', v: 2.5 },
      ]);
      assert.match(await refusalOf(client, 'gpkg-wal-beside/all_in_wal.gpkg'), /[Cc]lose the program/);
    },
  },
  {
    slug: 'shp-unknown-datum',
    text: 'a datum without a way to WGS 84 is warned of, and those with one are where they are',
    async check(client) {
      const folder = 'shp-unknown-datum';
      const pulkovo = await readCase(client, `${folder}/pulkovo42_gk12.zip`);
      assertNear(pulkovo.numbers, [68.9990756, 50.9807566, 69.8617467, 51.4270227], 1.5e-7);
      const shifted = await readCase(client, `${folder}/pulkovo42_mapinfo_towgs.zip`);
      assertNear(shifted.numbers, [68.9990124, 50.9805626, 69.8616813, 51.4268278], 1.5e-7);
      const unknown = await readCase(client, `${folder}/krasovsky_unknown.zip`);
      assertNear(unknown.numbers, [69, 50.9803592, 69.8626569, 51.4266067], 1.5e-7);
      assert.deepEqual([pulkovo.codes, shifted.codes, unknown.codes], [[], [], ['datum_unknown']]);
      assert.match(await refusalOf(client, `${folder}/no_prj_zone_prefix.zip`), /\.prj/);
    },
  },
  {
    slug: 'zip-names',
    text: 'an archive is read whatever its names are written in',
    async check(client) {
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
      const checks = archives.map(async ([name, layer]) => {
        const { rows, report } = await readCase(client, `zip-names/${name}`);
        assert.deepEqual(rows, [
          { ATE: 'Алматы', KATO: '110000000' },
          { ATE: 'Щучинск', KATO: '150000000' },
        ]);
        const found = String(report.source?.['layer']).normalize('NFC');
        assert.equal(found, layer, name);
      });
      await Promise.all(checks);
    },
  },
];
