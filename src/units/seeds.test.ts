import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { openTestDatabase } from '../../test/support/database.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { seedDistricts } from './import.ts';

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
    // One alphabet each: a Latin A or i in a Cyrillic name looks right but is not found. Russian names have no Kazakh
    // letters.
    assert.match(row.name, /^[а-яё][-а-яё ]+$/i);
    assert.match(row.name_kk ?? '', /^[а-яёәғқңөұүһі][-а-яёәғқңөұүһі ()]+$/i);
    assert.match(row.name_en ?? '', /^[a-z][-a-z ()]+$/i);
    assert.doesNotMatch(row.name, /ск(?:ий|ая).*ск(?:ий|ая)/, 'an ending that is doubled');
  }
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
  const [[x0, y0] = [0, 0]] = ring; // measured from this point, which preserves the digits of small rings
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    twice += (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0);
  }
  return twice / 2;
}
