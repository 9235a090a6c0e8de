import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programPaths } from '../../src/geo/parent/sandbox/isolation.ts';
import { importsOf } from '../support/source-tree.ts';

const entries = [
  'src/geo/child/main.ts',
  'src/landscape/compute/child/main.ts',
  'src/landscape/compute/child/make/main.ts',
];

test('a child can read every module that it imports', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { target, isPackage, isType } of importsOf([file]))
      if (!isPackage && !isType && target.endsWith('.ts')) visit(target);
  };
  entries.forEach(visit);
  assert.ok(seen.size > 50, `${seen.size} modules`);
  const isReadable = (file: string) => programPaths.some((path) => file.startsWith(`${path}/`));
  assert.deepEqual(
    [...seen].filter((file) => !isReadable(file)),
    [],
  );
  assert.ok(
    [...seen].some((file) => file.startsWith('common/')),
    'otherwise the folder need not be bound',
  );
});
