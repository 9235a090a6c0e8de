import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { namesOnMap } from '../../test/support/units/districts.ts';
import { eventually } from '../../test/support/processes.ts';
import { startDistricts } from '../../test/support/units/running-districts.ts';
import { startService } from '../../test/support/service.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';

const options = ['--kato', 'code', '--name', 'ru'];

/** A table of the Abai region and two unknown codes. */
const world = await closeAfterTests(startDistricts(['100000000', '990000000', '990100000']));
const { service, database, getMap, writeUnits, fingerprint } = world;
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

    const changed = await getMap({ 'if-none-match': before.etag });
    assert.equal(changed.status, 200, 'the old ETag is of a map that is gone');
    assert.deepEqual(changed.names(), ['Абайская', 'Новая область', 'Новый район']);
    const now = await getMap();
    assert.notEqual(now.etag, before.etag);
    assert.equal((await getMap({ 'if-none-match': now.etag })).status, 304);
    assert.equal((await getMap({ range: 'bytes=0-9', 'if-range': before.etag })).status, 200);
    assert.equal((await getMap({ range: 'bytes=0-9', 'if-range': now.etag })).status, 206);

    const rows = await sql<{ level: string; name_kk: string | null }>`
      select level, name_kk from districts where kato_code like '99%' order by kato_code`.execute(
      database.db,
    );
    assert.deepEqual(rows.rows, [
      { level: 'region', name_kk: 'Жаңа облыс' },
      { level: 'district', name_kk: null },
    ]);
  });

  test('killed in the middle it changes nothing, and no other import waits for it afterwards', async () => {
    const before = await fingerprint();
    const units = Array.from({ length: 60 }, (_, index) => ({ code: `88${index}`, ru: `№ ${index}` }));
    const path = await writeUnits('many.geojson', units);
    // The last unit cannot be written while this test holds the lock.
    const holder = await database.pool.connect();
    await holder.query(`create function wait_at_last() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$;
      create trigger wait_at_last before insert on districts for each row when (new.kato_code = '8859')
      execute function wait_at_last()`);
    try {
      await holder.query('select pg_advisory_lock(4711)');
      const { child, exited } = world.launch(['import', path, ...options, '--replace-all-levels']);
      await eventually('an import in the middle', async () => {
        const { rows } = await database.pool.query(
          `select from pg_locks where locktype = 'advisory' and not granted`,
        );
        return rows.length === 1;
      });
      const read = await getMap();
      assert.equal(read.status, 200, 'readers do not wait');
      assert.deepEqual(read.names(), ['Абайская', 'Новая область', 'Новый район']);
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
    assert.match(output, /306 units: 60 added/);
  });

  test('works on the data of a service that does not run, and what it did stays', async () => {
    assert.equal(await service.stop(), 0);
    const path = await writeUnits('alone.geojson', [{ code: '100000000', ru: 'Одна' }]);
    const { code, output } = await runImport([path, ...options, '--replace-all-levels']);
    assert.equal(code, 0, output);
    assert.match(output, /1 units: 0 added, 1 changed, 305 removed/);
    const { dataDir } = service;
    await using next = await startService({ dataDir });
    const response = await fetch(`${next.baseUrl}/datasets/${world.tableId}.geojson`);
    assert.deepEqual(namesOnMap(await response.text()), ['Одна']);
  });

  test('without a file it says what is missing, and shows no stack', async () => {
    const { code, output } = await runImport([]);
    assert.equal(code, 1, output);
    assert.match(output, /^steppe: say which file to import; see \.\/steppe districts --help$/m);
    assert.doesNotMatch(output, /\n\s+at /);
  });
});
