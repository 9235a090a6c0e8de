import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readProjectFile } from '../support/project.ts';
import { sharedPaths } from '../support/source-tree.ts';

suite('what the page shares with the service', () => {
  const isWithin = (folders: readonly string[]) => (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

  test('is there when the image builds the page', () => {
    const [before = ''] = readProjectFile('Dockerfile').split('RUN node scripts/setup.mjs');
    const copied = [...before.matchAll(/^COPY (common|src\/\S+) /gm)].map(([, folder = '']) => folder);
    assert.deepEqual(
      sharedPaths.filter((path) => !isWithin(copied)(path)),
      [],
    );
  });

  test('has the page built when it changes', () => {
    const [, list = ''] =
      /const shared = \[(.*?)\]/s.exec(readProjectFile('scripts/setup/console.mjs')) ?? [];
    const watched = [...list.matchAll(/'(.*?)'/g)].map(([, folder = '']) => folder);
    assert.deepEqual(
      sharedPaths.filter((path) => !isWithin(watched)(path)),
      [],
    );
  });
});
