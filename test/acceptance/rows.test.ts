import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProjectFile } from '../support/project.ts';
import { loadSuite, withProofs } from './claim.ts';

const suite = await loadSuite();

test('docs/interface.md names the claims of each row as npm run docs writes them', () => {
  assert.equal(readProjectFile('docs/interface.md'), withProofs(suite));
});

test('every row has a claim, and every claim names rows that there are', () => {
  const named = new Set([...suite.claims, ...suite.elsewhere].flatMap(({ rows }) => rows));
  assert.deepEqual([...named].toSorted(), [...suite.rows.keys()].toSorted());
});

test('what is proved elsewhere is a test of that title, which runs', () => {
  // The runner counts a test that is skipped at run time as failed.
  const missing = suite.elsewhere.filter(({ file, title }) => {
    const calls = readProjectFile(file).matchAll(
      /^ *(?:await t\.)?(?:test|it)\(\s*(['"`])(.*?)\1,(?!\s*\{[^}]*\b(?:skip|todo)\b)/gms,
    );
    return ![...calls].some(([, , found]) => found === title);
  });
  assert.deepEqual(
    missing.map(({ file, title }) => `${file}: ${title}`),
    [],
  );
});
