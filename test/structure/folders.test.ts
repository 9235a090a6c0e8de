import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileGraph, findCycle, folderGraph, sharedPaths, sourceFilesOf } from '../support/source-tree.ts';
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
  { title: 'the page', tree: 'console/src' },
] as const) {
  suite(title, () => {
    const files = fileGraph(tree);
    const folders = folderGraph(tree, files);

    test('every import of a source file leads to a source file', () => {
      const known = new Set([
        ...sourceFilesOf(tree),
        ...sourceFilesOf('src').filter((file) => sharedPaths.some((folder) => file.startsWith(folder))),
      ]);
      const lost = [...files].flatMap(([file, imported]) =>
        [...imported].filter((path) => !known.has(path)).map((path) => `${file} imports ${path}`),
      );
      assert.ok(known.size > 0);
      assert.deepEqual(lost, []);
    });

    test('no files import each other in a circle', () => assert.equal(findCycle(files), undefined));

    test('no folders import each other in a circle', () => assert.equal(findCycle(folders), undefined));

    test('no source file has 300 lines, and the median has fewer than 100', () => {
      const lengths = sourceFilesOf(tree)
        .map((file) => readProjectFile(file).split('\n').length - 1)
        .toSorted((a, b) => a - b);
      assert.ok((lengths.at(-1) ?? 0) <= 300);
      assert.ok((lengths[Math.floor(lengths.length / 2)] ?? 0) < 100);
    });
  });
}
