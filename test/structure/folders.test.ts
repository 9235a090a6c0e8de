import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileGraph, findCycle, folderGraph, sourceFilesOf } from '../support/source-tree.ts';
import { readProjectFile } from '../support/project.ts';

test('a cycle is found, and a graph without one has none', () => {
  const arrows = (...pairs: readonly [string, string[]][]) =>
    new Map(pairs.map(([from, to]) => [from, new Set(to)]));
  assert.deepEqual(findCycle(arrows(['a', ['b', 'c']], ['b', ['c']], ['c', ['d']], ['d', ['b']])), [
    'b',
    'c',
    'd',
    'b',
  ]);
  assert.equal(findCycle(arrows(['a', ['b', 'c']], ['b', ['c']], ['c', []])), undefined);
});

for (const { title, tree } of [
  { title: 'the service', tree: 'src' },
  { title: 'what both import', tree: 'common' },
  { title: 'the page', tree: 'console/src' },
] as const) {
  suite(title, () => {
    const files = fileGraph(tree);
    const folders = folderGraph(tree, files);

    test('every import of a source file leads to a source file', () => {
      const known = new Set([...sourceFilesOf(tree), ...sourceFilesOf('common')]);
      const lost = [...files].flatMap(([file, imported]) =>
        [...imported].filter((path) => !known.has(path)).map((path) => `${file} imports ${path}`),
      );
      assert.ok(known.size > 0);
      assert.deepEqual(lost, []);
    });

    test('no files import each other in a circle', () => assert.equal(findCycle(files), undefined));

    test('no folders import each other in a circle', () => assert.equal(findCycle(folders), undefined));

    test('no source file has more than 300 lines', () => {
      const long = sourceFilesOf(tree).filter((file) => readProjectFile(file).split('\n').length - 1 > 300);
      assert.deepEqual(long, []);
    });
  });
}
