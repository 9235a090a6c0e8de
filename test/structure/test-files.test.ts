import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { listTestFiles, needsOf, tierOf } from '../../scripts/test/needs.ts';
import { projectRoot, readProjectFile } from '../support/project.ts';

test('no test file awaits anything after its first test: the runner may end, and close what is shared, meanwhile', () => {
  const late = globSync('{src,common,test,tools}/**/*.test.ts', { cwd: projectRoot }).filter((file) => {
    const lines = readProjectFile(file).split('\n');
    const first = lines.findIndex((line) => /^(?:describe|test|it)\(/.test(line));
    return lines.slice(first + 1).some((line) => first !== -1 && /^(?:(?:const|let) .*= )?await /.test(line));
  });
  assert.deepEqual(late, []);
});

test('a file is of the long tier for its minutes alone: what needs servers, programs or a browser is of the tier of these', () => {
  const other = ['servers', 'python', 'packages', 'image', 'browser'] as const;
  const named = listTestFiles().filter((file) => tierOf(file) === 'long');
  const contradicting = named.filter((file) => other.some((need) => needsOf(file).has(need)));
  assert.deepEqual(contradicting, []);
  assert.ok(named.length > 0);
});

test('each tier has files, and those of `npm test` need no server, no other program and no browser', () => {
  const files = listTestFiles();
  for (const tier of ['short', 'services', 'clients', 'page', 'long'] as const)
    assert.ok(
      files.some((file) => tierOf(file) === tier),
      tier,
    );
  const needs = new Set(
    files.filter((file) => tierOf(file) === 'short').flatMap((file) => [...needsOf(file)]),
  );
  for (const need of ['servers', 'python', 'packages', 'image', 'browser'] as const)
    assert.ok(!needs.has(need), need);
});
