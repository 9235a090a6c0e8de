import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLongTier } from '../../../../test/support/tier.ts';
import { judgeRows, writtenOkrugs } from '../../../../test/support/units/place-names.ts';
import type { AskedPlace } from './judge-places.ts';

describe('names of all rural districts', () => {
  for (const { title, rows } of writtenOkrugs(isLongTier))
    test(`${title}: at least 99 % right, and none wrong unasked`, async () => {
      const judged = await judgeRows(rows);
      let right = 0;
      const lost: string[] = [];
      for (const [at, { kato, name }] of rows.entries()) {
        const { sure, codes, status, reason } = judged[at] ?? assert.fail();
        const said = `«${name}» of ${kato}: ${status} ${reason} ${codes.join()}`;
        if (sure !== undefined) assert.equal(sure, kato, said);
        if (sure === kato) right += 1;
        else if (!codes.includes(kato)) lost.push(said);
      }
      assert.ok(rows.length >= 2360 && right >= 0.99 * rows.length, `${right} of ${rows.length} right`);
      assert.deepEqual(lost, [], 'a question without the right answer');
    });
});

/** Judges a list; returns for each row its code, or the candidate codes, with status and reason. */
async function written(rows: readonly AskedPlace[], above?: string): Promise<string[]> {
  const judged = await judgeRows(rows, above);
  return judged.map(({ sure, codes, status, reason, remark }) =>
    [sure ?? (codes.join('|') || '-'), status, reason, remark ?? ''].join(' ').trim(),
  );
}

const abai = { district: 'Абайский район', region: 'область Абай' };

test('a place is looked for in its district, and asked about where it may be another one', async () => {
  const cases: readonly (readonly [AskedPlace, string])[] = [
    [{ name: 'Карааульский с.о.', ...abai }, '103230000 exact name'],
    [{ name: 'с.о. Карааул', ...abai }, '103230000 likely sound'],
    [
      { name: 'Қараауыл ауылдық округі', district: 'Абай ауданы', region: '100000000' },
      '103230000 exact name',
    ],
    [{ name: 'Карауыл а.о.', ...abai }, '103230000 likely sound'],
    [{ name: 'Карааульский с.о.', district: '103200000' }, '103230000 exact name'],
    [{ name: 'с. Карааул', ...abai }, '103230100 exact name'],
    [{ name: 'Қараауыл', ...abai }, '103230000|103230100 doubtful several'],
    [{ name: 'Қараауыл', level: 'okrug', ...abai }, '103230000 exact name'],
    [{ name: 'Карааульский', ...abai }, '103230000 exact name'],
    [{ name: 'Карааульская п.а.', ...abai }, '103230000 doubtful other_kind'],
    [{ name: 'Караульский с.о.', ...abai }, '103230000 likely sound'],
    [{ name: 'Каруульский с.о.', ...abai }, '103230000 doubtful similar'],
    [{ name: 'Акколь с.о.', ...abai }, '- none unknown'],
    [{ name: 'Карааульский с.о.', district: 'Абайский район' }, '103230000 doubtful district_unknown'],
    [{ name: 'Карааульский с.о.', district: 'Неведомый район' }, '- none district_unknown'],
    [{ name: 'Карааульский с.о.', level: 'okrug' }, '- none no_district'],
    [{ name: 'Абайский район области Абай, Карааульский с/о' }, '103230000 exact name'],
    [{ name: 'Карааульский с.о. Аягозского района' }, '- none unknown'],
    [{ name: 'Нарынский с.о. Аягозского района' }, '103673000 exact name'],
    [{ name: 'Всего', ...abai }, '103200000 likely region total_of_unit'],
    [{ name: 'Абайский район', ...abai }, '103200000 exact name'],
    [{ name: '103230000', ...abai }, '103230000 exact code'],
    [{ name: '103230000 Карааульский', level: 'okrug' }, '103230000 exact code'],
    [{ name: '103230000 Архатский', level: 'okrug' }, '103230000|103235000 doubtful code_and_name'],
    [{ name: '103673000', ...abai }, '- none unknown'],
    [{ name: 'с. Карааул', district: '103230000' }, '103230100 exact name'],
    [{ name: 'С. Сейфуллина с.о.', district: '115600000' }, '115673000 likely sound'],
    // A district of the classifier that the service has no border of.
    [
      { name: 'Ески Икан с.о.', district: 'Сауран ауданы', region: 'Туркестанская область' },
      '615538000 exact name',
    ],
    [{ name: 'г. Каратау', district: 'Таласский район' }, '316220100 exact name'],
    // As before without a district.
    [{ name: 'Карааульский с.о.' }, '- none below_district'],
    [{ name: '103230000' }, '- none below_district'],
  ];
  for (const [row, expected] of cases)
    assert.deepEqual([row.name, ...(await written([row]))], [row.name, expected]);
});

test('a district heads the rural districts below it, until a row that may be another unit', async () => {
  const rows = [
    'область Абай',
    'Абайский район',
    'Карааульский с.о.',
    'Архатский с.о.',
    'Всего',
    'Медеуский с.о.',
  ];
  const further = ['Аягозский район', 'Нарынский с.о.', 'Жамбылский район', 'Нарынский с.о.'];
  assert.deepEqual(await written([...rows, ...further].map((name) => ({ name }))), [
    '100000000 exact name',
    '103200000 likely rows_around',
    '103230000 likely rows_around',
    '103235000 likely rows_around',
    '- none total',
    '103245000 likely rows_around',
    '103600000 exact name',
    '103673000 likely rows_around',
    '194200000|314000000|594600000 doubtful several',
    '- none below_district',
  ]);
  assert.deepEqual(await written([{ name: 'Нарынский с.о.' }], '103600000'), [
    '103673000 likely rows_around',
  ]);
});

test('a name of a rural district and of its village is that of the level that the other rows have', async () => {
  const okrugs = ['Архат а.о.', 'Қасқабұлақ а.о.', 'Медеу а.о.', 'Қараауыл'].map((name) => ({
    name,
    ...abai,
  }));
  assert.equal((await written(okrugs)).at(-1), '103230000 likely level');
  const villages = ['Архат ауылы', 'Қасқабұлақ а.', 'Медеу а.', 'Қараауыл'].map((name) => ({
    name,
    ...abai,
  }));
  assert.equal((await written(villages)).at(-1), '103230100 likely level');
});
