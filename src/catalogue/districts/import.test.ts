import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell } from '../../datasets/table/cells.ts';
import { checkDistricts, seedDistricts } from './import.ts';
import { createDistrictReader } from './rows.ts';
import { z } from 'zod';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const area = '{"type":"Polygon","coordinates":[[[60,50],[61,50],[61,51],[60,50]]]}';
const columns = ['name', 'note', 'code'];
const sound = (code: string): Cell[] => [area, '"Район"', '1', `"${code}"`];

async function check(rows: readonly (readonly Cell[])[], kato: string) {
  async function* each() {
    yield* rows;
  }
  const read = createDistrictReader(columns, { kato, name: 'name' });
  return await checkDistricts({ columns, rows: each(), kato }, read);
}

test('the units of a sound file are known by code and level', async () => {
  const units = await check([sound('110000000'), sound('111010000')], 'code');
  assert.deepEqual(Object.fromEntries(units), { 110000000: 'region', 111010000: 'district' });
});

test('when most rows have names in the place of codes, the column with codes is named', async () => {
  const rows = ['110000000', '111010000', '111020000'].map(sound);
  await assert.rejects(check(rows, 'name'), {
    name: 'Problem',
    message:
      '3 of 3 rows cannot be districts, so nothing was changed: row 1 has "Район" where a code of digits belongs; ' +
      'row 2 has "Район" where a code of digits belongs; row 3 has "Район" where a code of digits belongs. ' +
      'Column "code" has the codes, not "name": name it with --kato.',
  });
});

test('no column is named when most rows have codes, or no column has them', async () => {
  const noCode: Cell[] = [area, '"Район"', '110000000', 'null'];
  const mostlySound = [sound('110000000'), sound('111010000'), noCode];
  await assert.rejects(check(mostlySound, 'code'), /changed: row 3 has no code\.$/);
  const nowhere: Cell[] = [area, '"Район"', '12', '"x"'];
  await assert.rejects(check([nowhere, nowhere], 'code'), /belongs\.$/);
});

test('of many faults the first ten are listed and the others counted', async () => {
  const faulty: Cell[] = [area, '"Район"', '1', '"x"'];
  const rows = Array.from({ length: 2000 }, () => faulty);
  await assert.rejects(
    check(rows, 'code'),
    /^Problem: 2000 of 2000 rows .*row 10 has "x" where .* belongs; and 1990 more like these\.$/,
  );
});

const { db } = await closeAfterTests(openTestDatabase());

const Position = z.tuple([z.number(), z.number()]);
const Ring = z.array(Position).min(4);
const Geometry = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(Ring).min(1) }),
  z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(Ring).min(1)).min(1) }),
]);

await seedDistricts(db);

test('there are 20 regions and 224 districts, each with a code of 9 digits and its three names', async () => {
  const rows = await db.selectFrom('districts').selectAll().execute();
  assert.equal(rows.filter(({ level }) => level === 'region').length, 20);
  assert.equal(rows.filter(({ level }) => level === 'district').length, 224);
  assert.equal(new Set(rows.map(({ kato_code }) => kato_code)).size, 244);
  for (const row of rows) {
    assert.match(row.kato_code, /^[0-9]{9}$/);
    assert.match(row.name, /[а-я]/);
    assert.match(row.name_kk ?? '', /[а-яәғқңөұүһі]/);
    assert.match(row.name_en ?? '', /[a-z]/);
  }
});

test('the name is the Russian one', async () => {
  const names = await db
    .selectFrom('districts')
    .select(['name', 'name_kk', 'name_en'])
    .where('kato_code', 'in', ['110000000', '101010000'])
    .orderBy('kato_code')
    .execute();
  assert.deepEqual(names, [
    { name: 'Жанасемейский', name_kk: 'Жаңасемей', name_en: 'Zharasemey' },
    { name: 'Акмолинская', name_kk: 'Ақмола', name_en: 'Akmola' },
  ]);
});

test('every geometry is valid RFC 7946: closed rings, outer ones counter-clockwise, at most 7 decimals', async () => {
  const rows = await db.selectFrom('districts').select(['kato_code', 'geometry']).execute();
  assert.equal(rows.length, 244);
  for (const { kato_code, geometry } of rows) {
    assert.ok(!/\.\d{8}|\s/.test(geometry), `${kato_code} is compact`);
    const parsed = Geometry.parse(JSON.parse(geometry));
    const polygons = parsed.type === 'Polygon' ? [parsed.coordinates] : parsed.coordinates;
    for (const [index, ring] of polygons.flatMap((rings) => [...rings.entries()])) {
      assert.deepEqual(ring.at(0), ring.at(-1), `${kato_code} has closed rings`);
      assert.equal(
        Math.sign(signedArea(ring)),
        index === 0 ? 1 : -1,
        `${kato_code} winds by the right-hand rule`,
      );
      for (const [longitude, latitude] of ring) {
        assert.ok(
          longitude > 46 && longitude < 88 && latitude > 40 && latitude < 56,
          `${kato_code} is in place`,
        );
      }
    }
  }
});

test('seeding again, also by several at once, brings nothing back', async () => {
  await db.deleteFrom('districts').where('kato_code', '=', '110000000').execute();
  await Promise.all([seedDistricts(db), seedDistricts(db)]);
  const { count } = await db
    .selectFrom('districts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(count, 243);
});

function signedArea(ring: z.infer<typeof Ring>): number {
  let twice = 0;
  const [[x0, y0] = [0, 0]] = ring; // measured from there, which keeps the digits of small rings
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    twice += (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0);
  }
  return twice / 2;
}
