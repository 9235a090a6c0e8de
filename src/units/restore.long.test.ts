import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startDistricts } from '../../test/support/units/running-districts.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';

const world = await closeAfterTests(startDistricts(['110000000', '111000000', '116600000', '990000000']));
const { run, getMap, fingerprint, writeUnits } = world;

const columns = ['--kato', 'code', '--name', 'ru'];
const akmola = ['import', 'examples/akmola-rayony.zip', '--name', 'ADM2_RU', '--kato'];
const nothingChanged = /^Nothing was changed: this is what it would be without --dry-run\.$/m;

describe('./steppe districts', () => {
  test('names as codes are refused, and the column with the codes is named', async () => {
    const before = await fingerprint();
    const { code, output } = await run([...akmola.slice(0, -1), '--kato', 'ADM2_RU']);
    assert.equal(code, 1);
    assert.match(
      output,
      /^steppe: 20 of 20 rows cannot be districts, so nothing was changed: row 1 has ".+" where a code of digits/,
    );
    assert.match(output, /Column "KATO" has the codes, not "ADM2_RU": name it with --kato\.$/m);
    assert.equal(await fingerprint(), before);
  });

  test('--replace with a file of districts is refused rather than to remove all regions', async () => {
    const before = await fingerprint();
    for (const dryRun of [[], ['--dry-run']]) {
      const { code, output } = await run([...akmola, 'KATO', '--replace', ...dryRun]);
      assert.equal(code, 1);
      assert.match(
        output,
        /^steppe: --replace would remove 20 regions: the file has none, only 20 districts\. /,
      );
      assert.match(output, /give --replace-all-levels to remove the regions too\.$/m);
    }
    assert.equal(await fingerprint(), before);
  });

  test('--dry-run says what would change, and changes nothing', async () => {
    const [before, map] = [await fingerprint(), await getMap()];
    for (const [args, counts] of [
      [[...akmola, 'KATO'], '244 units: 0 added, 20 changed, 0 removed.'],
      [[...akmola, 'KATO', '--replace-all-levels'], '20 units: 0 added, 20 changed, 224 removed.'],
      [['restore'], '244 units: 0 added, 244 changed, 0 removed.'],
    ] as const) {
      const { code, output } = await run([...args, '--dry-run']);
      assert.equal(code, 0, output);
      assert.ok(output.includes(`${counts}\n`), output);
      assert.match(output, nothingChanged);
    }
    assert.equal(await fingerprint(), before);
    assert.equal((await getMap()).etag, map.etag);
  });

  test('restore brings the first units back; maps show them at once, under a new ETag', async () => {
    const seeded = await getMap();
    assert.equal(seeded.names().length, 3);
    const path = await writeUnits('other.geojson', [
      { code: '110000000', ru: 'Другая', kk: 'Басқа' },
      { code: '990000000', ru: 'Новая' },
    ]);
    const replaced = await run(['import', path, ...columns, '--name-kk', 'kk', '--replace-all-levels']);
    assert.match(replaced.output, /^2 units: 1 added, 1 changed, 243 removed\.$/m);
    const other = await getMap();
    assert.deepEqual(other.names(), ['Другая', 'Новая']);

    const planned = await run(['restore', '--dry-run']);
    const { code, output } = await run(['restore']);
    assert.equal(code, 0, output);
    for (const each of [planned.output, output]) {
      assert.match(each, /^245 units: 243 added, 1 changed, 0 removed\.$/m);
    }
    const restored = await getMap({ 'if-none-match': other.etag });
    assert.equal(restored.status, 200);
    assert.notEqual(restored.etag, seeded.etag);
    assert.deepEqual(restored.names(), [...seeded.names(), 'Новая']);

    const all = await run(['restore', '--replace']);
    assert.match(all.output, /^244 units: 0 added, 244 changed, 1 removed\.$/m);
    assert.equal((await getMap()).text, seeded.text);
  });

  test('restore is all or nothing', async () => {
    const path = await writeUnits('one.geojson', [{ code: '110000000', ru: 'Одна' }]);
    assert.equal((await run(['import', path, ...columns, '--replace-all-levels'])).code, 0);
    const [before, map] = [await fingerprint(), await getMap()];
    await world.database.pool.query(`create function refuse_districts() returns trigger language plpgsql as $$
      begin raise exception 'no districts today'; end $$;
      create trigger refuse_districts before insert on districts for each row when (new.level = 'district')
      execute function refuse_districts()`);
    try {
      const { code, output } = await run(['restore']);
      assert.equal(code, 1);
      assert.match(output, /no districts today/);
      assert.equal(await fingerprint(), before);
      assert.equal((await getMap()).etag, map.etag);
    } finally {
      await world.database.pool.query('drop function refuse_districts cascade');
    }
    assert.equal((await run(['restore'])).code, 0);
    assert.equal((await getMap()).names().length, 3);
  });

  test('restore takes neither a file nor what belongs to an import', async () => {
    const before = await fingerprint();
    for (const [args, message] of [
      [['restore', 'x.geojson'], /unexpected argument x\.geojson/],
      [['restore', '--kato', 'code'], /--kato is only for districts import/],
      [['restore', '--replace-all-levels'], /--replace-all-levels is only for districts import/],
      [['remove'], /import or restore/],
    ] as const) {
      const { code, output } = await run(args);
      assert.equal(code, 1, output);
      assert.match(output, message);
    }
    assert.equal(await fingerprint(), before);
  });
});
