import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { projectRoot, readProjectFile } from '../support/project.ts';

test('no test file awaits anything after its first test: the runner may end, and close what is shared, meanwhile', () => {
  const late = globSync('{src,common,test,tools}/**/*.test.ts', { cwd: projectRoot }).filter((file) => {
    const lines = readProjectFile(file).split('\n');
    const first = lines.findIndex((line) => /^(?:describe|test|it)\(/.test(line));
    return lines.slice(first + 1).some((line) => first !== -1 && /^(?:(?:const|let) .*= )?await /.test(line));
  });
  assert.deepEqual(late, []);
});
