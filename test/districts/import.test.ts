import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { namesOnMap, startDistricts } from '../support/districts.ts';
import { eventually } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const options = ['--kato', 'code', '--name', 'ru'];

/** A table of Abai region and of two codes that no unit has. */
const world = await closeAfterTests(startDistricts(['100000000', '990000000', '990100000']));
const { service, database, getMap, writeUnits, fingerprint } = world;
const launchImport = (args: readonly string[]) => world.launch(['import', ...args]);
const runImport = async (args: readonly string[]) => await world.run(['import', ...args]);

describe('./steppe districts import', () => {
  test('extends the units of a running service; its maps show them at once, under a new ETag', async () => {
    const before = await getMap();
    assert.deepEqual(before.names(), ['Абайская']);
    const path = await writeUnits('extend.geojson', [
      { code: 990000000, ru: 'Новая область', kk: 'Жаңа облыс' },
      { code: '990100000', ru: 'Новый район', kk: null },
    ]);
    const { code, output } = await runImport([path, ...options, '--name-kk', 'kk']);
    assert.equal(code, 0, output);
    assert.match(output, /246 units: 2 added, 0 changed, 0 removed/);

    const unchanged = await getMap({ 'if-none-match': before.etag });
    assert.equal(unchanged.status, 200, 'the old ETag is of a map that is gone');
    assert.deepEqual(unchanged.names(), ['Абайская', 'Новая область', 'Новый район']);
    const now = await getMap();
    assert.notEqual(now.etag, before.etag);
    assert.equal((await getMap({ 'if-none-match': now.etag })).status, 304);
    assert.equal((await getMap({ range: 'bytes=0-9', 'if-range': before.etag })).status, 200);
    assert.equal((await getMap({ range: 'bytes=0-9', 'if-range': now.etag })).status, 206);
    assert.match(now.text, /"coordinates":\[\[\[50,45\],\[51,45\],\[51,46\],\[50,46\],\[50,45\]\]\]/);

    const rows = await sql<{ level: string; name_kk: string | null }>`
      select level, name_kk from districts where kato_code like '99%' order by kato_code`.execute(
      database.db,
    );
    assert.deepEqual(rows.rows, [
      { level: 'region', name_kk: 'Жаңа облыс' },
      { level: 'district', name_kk: null },
    ]);
  });

  test('changes units that are there, and keeps the names that it is not told of', async () => {
    const path = await writeUnits('rename.geojson', [{ code: '100000000', ru: 'Абай облысы' }]);
    const { code, output } = await runImport([path, ...options]);
    assert.equal(code, 0, output);
    assert.match(output, /246 units: 0 added, 1 changed, 0 removed/);
    const rows =
      await sql`select name, name_kk, name_en from districts where kato_code = '100000000'`.execute(
        database.db,
      );
    assert.deepEqual(rows.rows, [{ name: 'Абай облысы', name_kk: 'Абай', name_en: 'Abay' }]);
    assert.equal((await getMap()).names()[0], 'Абай облысы');
  });

  test('reads a zipped shapefile in windows-1251', async () => {
    const { code, output } = await runImport([
      'examples/akmola-rayony.zip',
      '--kato',
      'KATO',
      '--name',
      'ADM2_RU',
    ]);
    assert.equal(code, 0, output);
    assert.match(output, /246 units: 0 added, 20 changed, 0 removed/);
    const rows = await sql`select name, name_en, left(geometry, 38) as geometry from districts
      where kato_code = '111000000'`.execute(database.db);
    assert.deepEqual(rows.rows, [
      { name: 'Кокшетау', name_en: 'Kokshetau', geometry: '{"type":"Polygon","coordinates":[[[69.' },
    ]);
  });

  test('refuses a file with faulty rows as a whole, listing the first', async () => {
    const before = await fingerprint();
    const path = await writeUnits('faulty.geojson', [
      { code: '1', ru: 'а' },
      { code: ' ', ru: 'б' },
      { code: '3', ru: null },
      { code: 1, ru: 'г' },
      { code: '5', ru: 'д', geometry: null },
      { code: '6', ru: 'е', geometry: { type: 'Point', coordinates: [60, 50] } },
      ...Array.from({ length: 20 }, () => ({ ru: 'без кода' })),
    ]);
    const { code, output } = await runImport([path, ...options, '--replace']);
    assert.equal(code, 1);
    assert.match(output, /25 of 26 rows cannot be districts, so nothing was changed: row 2 has no code;/);
    assert.match(
      output,
      /row 3 \(3\) has no name; row 4 has the code 1, as row 1 has; row 5 \(5\) has no geometry;/,
    );
    assert.match(output, /row 6 \(6\) is not an area but a Point;.*; and 15 more like these\.\n$/);
    assert.equal(await fingerprint(), before);
  });

  test('refuses what is not a vector file, an empty one, columns that are not there, and half a command', async () => {
    const before = await fingerprint();
    const empty = await writeUnits('empty.geojson', []);
    const broken = join(service.dataDir, 'broken.geojson');
    await writeFile(broken, '{"type":"FeatureCollection","features":[');
    const sound = await writeUnits('sound.geojson', [{ code: '1', ru: 'а' }]);
    const expectations = [
      [[empty, ...options, '--replace'], /no column "code"; it has none/],
      [[broken, ...options], /is not valid JSON: at line 1/],
      [[sound, '--kato', 'kato', '--name', 'ru'], /--kato: the file has no column "kato"; it has code, ru\./],
      [[sound, '--kato', 'code'], /--kato and --name/],
      [[sound, ...options, '--level', 'village'], /--level: region or district/],
      [[sound, ...options, '--nam-kk', 'x'], /unknown option --nam-kk/],
      [[`${sound}.tif`, ...options], /there is no file/],
      [[join(service.dataDir, 'service.json'), ...options], /has to be one of \.geojson, \.gpkg, \.zip/],
      [[], /^steppe: say which file to import; see \.\/steppe districts --help$/m],
    ] as const;
    for (const [args, message] of expectations) {
      const { code, output } = await runImport(args);
      assert.equal(code, 1, output);
      assert.match(output, message);
      assert.doesNotMatch(output, /\n\s+at /, 'no stack is shown');
    }
    assert.equal(await fingerprint(), before);
  });

  test('killed in the middle it changes nothing, and no other import waits for it afterwards', async () => {
    const before = await fingerprint();
    const units = Array.from({ length: 300 }, (_, index) => ({ code: `88${index}`, ru: `№ ${index}` }));
    const path = await writeUnits(
      'many.geojson',
      units.map((unit) => ({ ...unit, geometry: smallArea })),
    );
    // The last unit cannot be written while this test holds the lock.
    const holder = await database.pool.connect();
    await holder.query(`create function wait_at_last() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$;
      create trigger wait_at_last before insert on districts for each row when (new.kato_code = '88299')
      execute function wait_at_last()`);
    try {
      await holder.query('select pg_advisory_lock(4711)');
      const { child, exited } = launchImport([path, ...options, '--replace-all-levels']);
      await eventually('an import in the middle', async () => {
        const { rows } = await database.pool.query(
          `select from pg_locks where locktype = 'advisory' and not granted`,
        );
        return rows.length === 1;
      });
      const read = await getMap();
      assert.equal(read.status, 200, 'readers do not wait');
      assert.deepEqual(read.names(), ['Абай облысы', 'Новая область', 'Новый район']);
      child.kill('SIGKILL');
      assert.equal(await exited(), 'SIGKILL');
    } finally {
      await holder.query('select pg_advisory_unlock(4711)');
      holder.release();
    }
    await eventually('the end of its session', async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where application_name = 'steppe-tool' and state <> 'idle'`,
      );
      return rows.length === 0;
    });
    await sql`drop function wait_at_last cascade`.execute(database.db);
    assert.equal(await fingerprint(), before);
    const { code, output } = await runImport([path, ...options]);
    assert.equal(code, 0, output);
    assert.match(output, /546 units: 300 added/);
  });

  test('readers see the units of before or of after, whole, however often they ask', async () => {
    const codes = ['100000000', '990000000', '990100000'];
    const [first, second] = await Promise.all(
      ['первый', 'второй'].map(async (word, index) => {
        const units = codes.map((code) => ({ code, ru: word }));
        return await writeUnits(`${index}.geojson`, units, index);
      }),
    );
    assert.ok(first !== undefined && second !== undefined);
    assert.equal((await runImport([first, ...options, '--replace'])).code, 0);
    const importing = new AbortController();
    const readers = Array.from({ length: 4 }, async () => {
      const seen: string[] = [];
      while (!importing.signal.aborted) {
        const { status, names } = await getMap();
        assert.equal(status, 200);
        seen.push(names().join());
        await pause(20);
      }
      return seen;
    });
    for (const path of [second, first, second]) {
      const { code, output } = await runImport([path, ...options, '--replace']);
      assert.equal(code, 0, output);
      assert.match(output, /3 units: 0 added, 3 changed, 0 removed/);
    }
    importing.abort();
    const seen = new Set((await Promise.all(readers)).flat());
    assert.deepEqual([...seen].toSorted(), ['второй,второй,второй', 'первый,первый,первый']);
    assert.deepEqual((await getMap()).names(), ['второй', 'второй', 'второй']);
  });

  test('works on the data of a service that does not run, and what it did stays', async () => {
    assert.equal(await service.stop(), 0);
    const path = await writeUnits('alone.geojson', [{ code: '100000000', ru: 'Одна' }]);
    const { code, output } = await runImport([path, ...options, '--replace-all-levels']);
    assert.equal(code, 0, output);
    assert.match(output, /1 units: 0 added, 1 changed, 2 removed/);
    const { dataDir } = service;
    await using next = await startService({ dataDir });
    const response = await fetch(`${next.baseUrl}/datasets/${world.tableId}.geojson`);
    assert.deepEqual(namesOnMap(await response.text()), [{ kato: '100000000', name: 'Одна' }]);
  });
});

const smallArea = {
  type: 'Polygon',
  coordinates: [
    [
      [60, 50],
      [61, 50],
      [61, 51],
      [60, 50],
    ],
  ],
} as const;
