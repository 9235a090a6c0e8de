import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectRoot, readProjectFile } from '../support/project.ts';
import { importsOf, sourceFiles } from '../support/source-tree.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string): Record<string, unknown> => JSON.parse(readProjectFile(path));

test('set-up installs nothing of a workflow engine: it is a package of its own with a lock file of its own', () => {
  const { packages } = read('package-lock.json');
  assert.ok(packages !== null && typeof packages === 'object' && Object.keys(packages).length > 100);
  assert.deepEqual(
    Object.keys(packages).filter((path) => /@temporalio\/|@swc\/|(?:^|\/)engines\//.test(path)),
    [],
  );
  assert.equal(read('package.json')['workspaces'], undefined);

  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path) || !existsSync(join(projectRoot, path))) return;
    seen.add(path);
    for (const { target, isPackage } of importsOf([path])) if (!isPackage) visit(target);
  };
  visit('scripts/setup.mjs');
  assert.ok(seen.has('scripts/setup/modules.mjs'));
  assert.deepEqual(
    [...seen].filter((path) => /engine/.test(path)),
    [],
  );
});

test('one file names the folder of the package, and loads it by its address alone', () => {
  const namers = sourceFiles.filter((file) => readProjectFile(file).includes('engines/temporal'));
  assert.deepEqual(namers, ['src/runtime/workflow-engine.ts']);
});

test('all parts of the SDK have one exact version', () => {
  const { dependencies } = read('engines/temporal/package.json');
  assert.ok(dependencies !== null && typeof dependencies === 'object');
  const versions = new Set(Object.values(dependencies));
  assert.equal(versions.size, 1);
  assert.match(String([...versions][0]), /^\d+\.\d+\.\d+$/);
});
