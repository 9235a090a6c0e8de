import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProjectFile } from '../support/project.ts';
import { type Import, importsOf, sourceFilesOf } from '../support/source-tree.ts';

const fewLines = 60;
const mostEntries = 27;

const command = 'one command';
const routes = 'routes of a feature';
const task = 'one task of a child process, which loads it on demand';

const noMarkup = 'logic of a screen without markup, tested on its own';

/** Every subject and every screen has its sentences in three files, one for each language. */
const ofOneLanguage = /\/(?:kk|ru|kazakh|russian)\.ts$/;

/** Files under 60 lines that one other source file imports, each with the reason why it is a file of its own. */
const reasons: Readonly<Record<string, string>> = {
  'console/src/map/drawing/line-path.ts': noMarkup,
  'console/src/map/prefetch-map.ts': 'loads before the script of the map',
  'console/src/pages/catalogue/code-of.ts': noMarkup,
  'console/src/pages/limits/limit-rows.ts': noMarkup,
  'console/src/service/server-sent.ts': 'a parser that tests of the service use as well',
  'console/src/spreadsheets/client.ts': 'starts the worker of spreadsheets',
  'console/src/spreadsheets/files/geojson.ts': 'a format of files, tested on its own',
  'console/src/style/qml-write.ts': 'a format of styles, tested on its own',
  'src/commands/api.ts': command,
  'src/commands/fsck.ts': command,
  'src/commands/mcp.ts': command,
  'src/commands/migrate.ts': command,
  'src/datasets/upload/routes.ts': routes,
  'src/geo/child/areas/count-areas.ts': task,
  'src/geo/child/raster/ask-for-time.ts': task,
  'src/geo/child/spreadsheet/workbooks.ts': task,
  'src/geo/gdal/trim-gdal-async.ts': 'acts when it is imported, which must precede the import of gdal-async',
  'src/http/access/access-log.ts': 'uses folders of http/ that import each other in one direction only',
  'src/http/answer/body-buffers.ts': 'a bound on memory, tested on its own',
  'src/http/description.ts': routes,
  'src/landscape/compute/find-windows.ts': task,
  'src/landscape/graph/layers/cell-layer.ts': 'one internal raster',
  'src/object-store/memory-objects.ts': 'a driver of a port, which tests use as well',
  'src/ogc/routes.ts': routes,
  'src/runtime/worker/result-makers.ts': 'the list of kinds, where a new one takes a line',
  'src/stac/routes.ts': routes,
  'src/tables/routes.ts': routes,
};

const judged = (['src', 'common', 'console/src'] as const).flatMap(sourceFilesOf);
const imports = importsOf([...judged, ...sourceFilesOf('tools'), ...sourceFilesOf('engines')]);
const lines = new Map(judged.map((file) => [file, readProjectFile(file).split('\n').length - 1]));

/** Lists the small files with exactly one importer. */
function smallFiles(all: readonly Pick<Import, 'file' | 'target'>[], linesOf: ReadonlyMap<string, number>) {
  const importers = Map.groupBy(all, ({ target }) => target);
  return [...linesOf]
    .filter(([, count]) => count < fewLines)
    .map(([file]) => file)
    .filter((file) => !ofOneLanguage.test(file))
    .filter((file) => new Set(importers.get(file)?.map((each) => each.file)).size === 1);
}

/** Compares small files with the table. */
function faultsOf(small: readonly string[], table: Readonly<Record<string, string>>): readonly string[] {
  return [
    ...small
      .filter((file) => !Object.hasOwn(table, file))
      .map((file) => `${file}: merge it into its only user, or give a reason`),
    ...Object.keys(table)
      .filter((file) => !small.includes(file))
      .map((file) => `${file}: the entry no longer holds`),
  ];
}

test('a file under 60 lines that only one other imports has a reason, and no reason is out of date', () => {
  assert.deepEqual(faultsOf(smallFiles(imports, lines), reasons), []);
  assert.ok(Object.keys(reasons).length <= mostEntries);
});

test('a small file without a reason is found, and so is an entry that no longer holds', () => {
  const sizes = new Map([
    ['src/a.ts', 59],
    ['src/b.ts', 59],
    ['src/c.ts', 60],
    ['src/d.ts', 300],
  ]);
  const arrows = [
    ['src/d.ts', 'src/a.ts'],
    ['src/d.ts', 'src/a.ts'],
    ['src/c.ts', 'src/b.ts'],
    ['src/d.ts', 'src/b.ts'],
    ['src/d.ts', 'src/c.ts'],
  ].map(([file = '', target = '']) => ({ file, target }));
  const small = smallFiles(arrows, sizes);
  assert.deepEqual(small, ['src/a.ts']);
  assert.equal(faultsOf(small, {}).length, 1);
  assert.deepEqual(faultsOf(small, { 'src/a.ts': routes }), []);
  assert.deepEqual(faultsOf([], { 'src/a.ts': routes }), ['src/a.ts: the entry no longer holds']);
});
