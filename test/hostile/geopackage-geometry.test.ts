import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UnprocessableFile } from '../../src/geo/engine.ts';
import { openCanary } from '../support/hostile/canary.ts';
import { openVectorEngineHere } from '../support/geo/engine-here.ts';
import { doubles, geometryBlob, pointBlob, wkbHead, writeGeoPackage } from '../support/geo/geopackages.ts';
import { closeAfterTests } from '../support/for-tests.ts';

type Cell = Buffer | string | number | null;

const canary = await closeAfterTests(openCanary());
const engine = await closeAfterTests(openVectorEngineHere());

describe('The cells of a hostile GeoPackage', () => {
  let count = 0;
  async function read(geometries: readonly Cell[], sql = '') {
    count += 1;
    const path = writeGeoPackage(join(engine.folder, `${count}.gpkg`), { geometries, sql });
    const { geojsonPath, findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
    const { features } = JSON.parse(await readFile(geojsonPath, 'utf8'));
    return { geometry: features[0]?.geometry, findings };
  }
  async function refuses(cell: Cell, sentence: RegExp): Promise<void> {
    await assert.rejects(read([cell]), (error) => {
      assert.ok(error instanceof UnprocessableFile, String(error));
      assert.match(error.message, sentence);
      return true;
    });
  }
  const point = Buffer.concat([wkbHead(1), doubles([70, 50])]);
  const damaged = /feature 1 cannot be read/;

  test('whose envelope lies are read all the same', async () => {
    const cell = geometryBlob(point, { flags: 3, envelope: [1e308, -1e308, Number.NaN, 0] });
    assert.deepEqual((await read([cell])).geometry, { type: 'Point', coordinates: [70, 50] });
  });

  test('that hold no numbers, or endless ones, are left out or refused', async () => {
    const nowhere = geometryBlob(Buffer.concat([wkbHead(1), doubles([Number.NaN, Number.NaN])]));
    const { geometry } = await read([nowhere, pointBlob(70, 50)]);
    assert.deepEqual(geometry, { type: 'Point', coordinates: [70, 50] });
    await refuses(
      pointBlob(Number.POSITIVE_INFINITY, 1),
      /The coordinate Infinity, 1 of feature 1 does not fit/,
    );
    const line = Buffer.concat([wkbHead(2, 2), doubles([70, 50, 71, Number.NaN])]);
    await refuses(geometryBlob(line), /geometry of feature 1 has a coordinate that is not a number/);
  });

  test('that are no geometry at all are refused', async () => {
    for (const cell of ['POINT (70 50)', 4711, Buffer.from('GP'), geometryBlob(wkbHead(4711, 1))])
      await refuses(cell, damaged);
  });

  test('that hold text in another encoding are refused by the number of their feature', async () => {
    const notUtf8 = (number: number) => (error: unknown) =>
      error instanceof UnprocessableFile &&
      error.message.startsWith(`Feature ${number} has text, or a column with a name, that is not in UTF-8.`);
    const all = Array.from({ length: 5003 }, (_, index) => pointBlob(70, 50 + index / 1000));
    const cp1251 = "cast(x'cff0e8e2e5f2' as text)";
    for (const [number, text] of [
      [1, cp1251],
      [3, cp1251],
      [5002, 'char(55296)'],
    ] as const) {
      const sql = `update places set name = ${text} where fid = ${number};`;
      await assert.rejects(read(all, sql), notUtf8(number));
    }
    await read(all, "update places set name = 'Привет';");
  });

  test('of other tables neither call out nor count', async () => {
    const { geometry, findings } = await read(
      [pointBlob(70, 50)],
      `update gpkg_spatial_ref_sys set definition = '${canary.url}/a.wkt', organization = '${canary.url}',
         organization_coordsys_id = 1 where srs_id = 4326;
       insert into gpkg_extensions values ('places', 'geom', 'gpkg_rtree_index', '${canary.url}', 'write-only'),
         (null, null, 'gpkg_crs_wkt', '${canary.url}', 'x'), ('nowhere', null, 'related_tables', 'x', 'x');
       insert into gpkg_contents (table_name, data_type, identifier) values ('sqlite_schema', 'attributes', 'x');
       create table gpkg_ogr_contents (table_name text primary key, feature_count integer);
       insert into gpkg_ogr_contents values ('places', 9223372036854775807);`,
    );
    assert.deepEqual(geometry, { type: 'Point', coordinates: [70, 50] });
    assert.deepEqual(
      findings.warnings.map(({ code }) => code),
      ['crs_assumed', 'other_warnings', 'other_warnings'],
    );
    assert.ok(!JSON.stringify(findings.warnings).includes(canary.url));
    assert.equal(findings.source?.layers[0]?.features, 1);
    assert.equal(canary.connections(), 0);
  });
});
