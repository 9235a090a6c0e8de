import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { projectRoot } from '../../../test/support/project.ts';
import { curatedHistory, formerNames, knownFrom, successorsOf } from './curated.ts';
import { keepsLand } from './succession.ts';

const Unit = z.object({ properties: z.object({ kato: z.string() }) });

async function codesOfToday(): Promise<ReadonlySet<string>> {
  const files = ['regions', 'districts'].map((name) =>
    readFile(`${projectRoot}/seeds/districts/${name}.geojsonl`, 'utf8'),
  );
  const lines = (await Promise.all(files)).flatMap((text) => text.trimEnd().split('\n'));
  return new Set(lines.map((line) => Unit.parse(JSON.parse(line)).properties.kato));
}

const codes = (code: string, at?: string) => successorsOf(code, at).map(({ kato }) => kato);

describe('the curated history of units', () => {
  test('each change ends a former unit, and leads to one of its day or of today', async () => {
    const { history, succession } = curatedHistory();
    const today = await codesOfToday();
    assert.ok(history.changes.length > 80);
    for (const { from, to, date } of history.changes) {
      assert.ok(date >= knownFrom);
      assert.ok(
        succession.versionsOf(from).some(({ valid_to: end }) => end === date),
        `${from} ends on ${date}`,
      );
      if (to === null) continue;
      assert.ok(
        today.has(to) || succession.versionAt(to, date) !== undefined,
        `${to}, which came of ${from}, is known`,
      );
    }
    for (const { kato, valid_to: end, valid_from: start } of history.former) {
      assert.ok(start === null || start < end);
      assert.ok(succession.changesFrom(kato, end).length > 0, `${kato} of ${end} became something`);
    }
  });

  test('the shares of the land of a unit are one in all, where all of them are known', () => {
    const { changes } = curatedHistory().history;
    for (const [key, group] of Map.groupBy(changes, ({ from, date }) => `${from} ${date}`)) {
      const shares = group.map(({ share_area: share }) => share);
      if (shares.some((share) => share === null)) continue;
      const all = shares.reduce<number>((sum, share) => sum + (share ?? 0), 0);
      assert.ok(Math.abs(all - 1) < 3e-4, `${key}: ${all}`);
    }
  });

  test('every former unit leads to units of today', async () => {
    const today = await codesOfToday();
    for (const { kato, valid_from: start, valid_to: end } of curatedHistory().history.former) {
      const day = start ?? knownFrom;
      assert.ok(day < end);
      const found = successorsOf(kato, day);
      assert.ok(found.length > 0);
      for (const { kato: code, name } of found) assert.ok(code === null ? name !== null : today.has(code));
    }
    assert.ok(formerNames().some(({ name }) => name === 'Зеленовский'));
  });
});

describe('successors of a code', () => {
  test('a recode has one successor, which is the same land', () => {
    const [found, ...others] = successorsOf('193200000');
    assert.deepEqual([found?.kato, found?.isSame, others.length], ['333200000', true, 0]);
    assert.equal(found?.changes[0]?.act.number, '887');
    const [region] = successorsOf('516400000');
    assert.deepEqual([region?.kato, region?.isSame], ['616400000', true]);
  });

  test('a split has several, with the shares of all steps between', () => {
    assert.deepEqual(codes('636400000'), ['104600000', '104500000'], 'recoded in 2022, split in 2024');
    const found = successorsOf('636400000');
    assert.ok(found.every(({ isSame, changes }) => !isSame && changes.length === 2));
    assert.ok(Math.abs(found.reduce((sum, { shareArea }) => sum + (shareArea ?? NaN), 0) - 1) < 1e-3);
    assert.ok(found[0]?.changes[0] && keepsLand(found[0].changes[0]));
    assert.deepEqual(codes('510000000'), ['610000000', '790000000']);
  });

  test('a code that a unit of today has is its own, unless an earlier day is asked for', () => {
    assert.deepEqual(codes('191000000'), ['191000000'], 'Konaev');
    assert.deepEqual(codes('191000000', '2020-01-01'), ['331000000'], 'Taldykorgan');
    assert.deepEqual(codes('630000000'), ['630000000']);
    assert.deepEqual(codes('630000000', '2020-01-01'), ['630000000', '100000000']);
    assert.deepEqual(codes('111000000', '2020-01-01'), ['111000000'], 'nothing is known of a change');
  });
});
