import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UnprocessableFile } from '../../src/geo/engine.ts';
import { openCanary } from '../support/hostile/canary.ts';
import { openVectorEngineHere } from '../support/geo/engine-here.ts';
import type { TestEngine } from '../support/geo/engine.ts';
import { listed, pointBlob, registered, writeGeoPackage } from '../support/geo/geopackages.ts';
import { openEngineWithout } from '../support/hostile/layers.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const withoutPlaces = 'drop table places; delete from gpkg_contents; delete from gpkg_geometry_columns;';

const canary = await closeAfterTests(openCanary());
const guarded = await closeAfterTests(openVectorEngineHere());
/** An engine without the check and without the other layers between a child and the file. */
const bare = await closeAfterTests(openEngineWithout(['file-checks', 'isolation']));

describe('The tables and views of a hostile GeoPackage', () => {
  async function tableOf(engine: TestEngine, path: string) {
    const { rowsPath, findings } = await engine.run((geo, task) => geo.readTable(task), path);
    return { rows: (await readFile(rowsPath, 'utf8')).trimEnd().split('\n'), findings };
  }
  /** Writes a GeoPackage with an empty layer, so that what `sql` adds is read. */
  const write = (name: string, sql: string, geometries: readonly Buffer[] = []) =>
    writeGeoPackage(join(guarded.folder, `${name}.gpkg`), { geometries, sql });
  async function refusal(path: string): Promise<string> {
    const outcome = await tableOf(guarded, path).then(
      ({ rows }) => `was read: ${rows.join()}`,
      (error: unknown) => error,
    );
    assert.ok(outcome instanceof UnprocessableFile, String(outcome));
    assert.doesNotMatch(JSON.stringify([outcome.message, outcome.findings]), new RegExp(canary.text));
    return outcome.message;
  }

  test('a virtual table that reads another file tells it to plain GDAL, and is refused', async () => {
    const module = `VirtualText('${canary.csvPath}', 'UTF-8', 1, POINT, DOUBLEQUOTE, ',')`;
    const sql = listed('table', 'leak', `CREATE VIRTUAL TABLE leak USING ${module}`) + registered('leak');
    const path = write('text', sql);
    const { rows } = await tableOf(bare, path);
    assert.match(rows.join(), new RegExp(canary.text));
    assert.match(await refusal(path), /"leak" is a virtual table.*Save it as an ordinary table/);
  });

  test('a view that calls what is not a function of SQLite runs in plain GDAL, and is refused', async () => {
    const sql = `create view v as select 1 as fid, PROJ_GetDatabasePath() as path;${registered('v')}`;
    const path = write('function', sql);
    assert.match((await tableOf(bare, path)).rows.join(), /proj\.db/);
    assert.match(await refusal(path), /its view "v" calls the function PROJ_GetDatabasePath\(\)/);
  });

  test('an unregistered view runs in plain GDAL, and is left alone', async () => {
    const sql = 'create view v as select 1 as fid, PROJ_GetDatabasePath() as path;';
    const alone = write('unregistered', `${sql}${withoutPlaces}`);
    assert.match((await tableOf(bare, alone)).rows.join(), /proj\.db/);
    assert.match(await refusal(alone), /no layer but the view "v", which is not registered/);
    const beside = write('unregistered-beside', sql, [pointBlob(70, 50)]);
    const { rows, findings } = await tableOf(guarded, beside);
    assert.deepEqual(rows, ['["place 1"]']);
    assert.deepEqual(
      findings.warnings.map(({ code }) => code),
      ['layers_left_out'],
    );
    assert.match(findings.warnings[0]?.message ?? '', /Of these, v is a view that is not registered/);
    assert.deepEqual(findings.source?.layers[1], { name: 'v', features: null, geometry_types: [] });
  });

  test('a view without end is refused where it is registered, and never begun where it is not', async () => {
    const endless =
      'create view v as with recursive n (i) as (select 1 union all select i + 1 from n) select max(i) as fid from n;';
    assert.match(await refusal(write('endless', endless + registered('v'))), /"v" is recursive/);
    const { rows } = await tableOf(guarded, write('endless-unread', endless, [pointBlob(70, 50)]));
    assert.deepEqual(rows, ['["place 1"]']);
  });

  test('a registered view of plain SQL and geometry is read', async () => {
    const sql = `create view v as
      select fid, upper(name) || ' ' || ST_X(geom) as title, json_extract('{"a":2}', '$.a') as two from places;
      delete from gpkg_contents; delete from gpkg_geometry_columns;${registered('v')}`;
    const { rows } = await tableOf(guarded, write('honest', sql, [pointBlob(70, 50)]));
    assert.deepEqual(rows, ['["PLACE 1 70.0",2]']);
  });

  test('more columns than SQLite takes are refused with their limit', async () => {
    const columns = Array.from({ length: 20_000 }, (_, index) => `c${index}`).join();
    const sql = `create table wide (c0); pragma writable_schema = on;
      update sqlite_master set sql = 'CREATE TABLE wide (${columns})' where name = 'wide';`;
    assert.match(await refusal(write('wide', sql)), /more than 2,000 columns/);
  });

  test('nothing calls out', () => {
    assert.equal(canary.connections(), 0);
  });
});
