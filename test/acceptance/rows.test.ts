import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { loadSuite } from './claim.ts';

const { rows, claims, elsewhere } = await loadSuite();

test('every row of the contract and of the decisions is checked', () => {
  const checked = new Set([...claims, ...elsewhere].flatMap((each) => each.rows));
  const unchecked = [...rows.keys()].filter((row) => !checked.has(row));
  assert.deepEqual(unchecked, []);
});

test('every claim names rows that there are', () => {
  const unknown = [...claims, ...elsewhere].flatMap((each) => each.rows).filter((row) => !rows.has(row));
  assert.deepEqual(unknown, []);
});

test('what is checked elsewhere is a test of that title', async () => {
  for (const { file, title } of elsewhere) {
    const source = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    assert.ok(source.includes(title), `${file} has no test “${title}”`);
  }
});
