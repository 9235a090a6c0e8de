import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { projectRoot, readProjectFile } from '../support/project.ts';
import { fileGraph, findCycle, folderGraph, siblingGraphs, sourceFilesOf } from '../support/source-tree.ts';

/** Migrations are a list in the order of their numbers, and fixtures have the names that their sources gave them. */
const mayBeCrowded = (folder: string): boolean =>
  folder === 'src/database/migrations' || folder.startsWith('test/fixtures/');

/** Lists the folders of a tree with more than 25 files, tests included. */
function crowdedFolders(tree: string): readonly string[] {
  const counts = Map.groupBy(globSync(`${tree}/**/*.*`, { cwd: projectRoot }), (file) => dirname(file));
  return [...counts]
    .filter(([folder, { length }]) => length > 25 && !mayBeCrowded(folder))
    .map(([folder, { length }]) => `${folder}: ${length}`);
}

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

/** Types that `npm run check` generates. */
const generated = 'console/generated/api.ts';

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
        [...imported]
          .filter((path) => !known.has(path) && path !== generated)
          .map((path) => `${file} imports ${path}`),
      );
      assert.ok(known.size > 0);
      assert.deepEqual(lost, []);
    });

    test('no files import each other in a circle', () => assert.equal(findCycle(files), undefined));

    test('no folders import each other in a circle', () => assert.equal(findCycle(folders), undefined));

    test('no folders with all that is in them import each other in a circle', () => {
      for (const [parent, graph] of siblingGraphs(files)) assert.equal(findCycle(graph), undefined, parent);
    });

    test('at most 25 files lie side by side', () => assert.deepEqual(crowdedFolders(tree), []));

    test('no source file has more than 500 lines', () => {
      const long = sourceFilesOf(tree).filter((file) => readProjectFile(file).split('\n').length - 1 > 500);
      assert.deepEqual(long, []);
    });
  });
}

test('at most 25 files of the tests lie side by side', () => assert.deepEqual(crowdedFolders('test'), []));
