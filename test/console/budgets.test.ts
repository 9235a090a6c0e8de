import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot, readProjectFile } from '../support/project.ts';

const dist = join(projectRoot, 'console/dist');

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

const chunks: Readonly<Record<string, Chunk>> = JSON.parse(
  readProjectFile('console/dist/.vite/manifest.json'),
);

/** Files that are loaded together with chunks. */
function closureOf(names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    const chunk = chunks[name];
    assert.ok(chunk !== undefined, `the manifest has no ${name}`);
    if (found.has(chunk.file)) continue;
    found.add(chunk.file);
    closureOf(chunk.imports ?? [], found);
  }
  return found;
}

/** Size of scripts in kilobytes, compressed with gzip. */
function kilobytesOf(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0) / 1000;
}

const words = 'src/words/ru.ts';
const start = closureOf(['index.html', words]);

test('the first page needs less than 80 kB of script', () => {
  assert.ok(start.size >= 2);
  const kilobytes = kilobytesOf(start);
  assert.ok(kilobytes < 80, `${kilobytes} kB`);
});

const sheetPanel = 'src/pages/map/sheet-panel.tsx';

test('a map needs less than 230 kB of script with it, whatever it shows', () => {
  const mapNames = Object.keys(chunks).filter(
    (name) => name.startsWith('src/pages/map/') && name !== sheetPanel,
  );
  assert.ok(mapNames.length > 0);
  mapNames.push('src/map/layers/vector-layer.ts', 'src/map/words/ru.ts');
  const kilobytes = kilobytesOf(start.union(closureOf(mapNames)));
  assert.ok(kilobytes > kilobytesOf(start) && kilobytes < 230, `${kilobytes} kB`);
});

test('the settings of a sheet, which come when they are opened, need less than 9 kB', () => {
  const kilobytes = kilobytesOf([chunks[sheetPanel]?.file ?? '']);
  assert.ok(kilobytes > 1 && kilobytes < 9, `${kilobytes} kB`);
});

/** Scripts of workers with this name; the service recognises them by name and sends the policy of a worker with them. */
function workersNamed(start: string): readonly string[] {
  return readdirSync(join(dist, 'assets')).filter((name) => name.startsWith(start) && name.endsWith('.js'));
}

test('the worker that draws rasters needs less than 40 kB, and codecs come when they are needed', () => {
  const workers = workersNamed('worker-');
  assert.equal(workers.length, 1);
  const kilobytes = kilobytesOf(workers.map((name) => `assets/${name}`));
  assert.ok(kilobytes < 40, `${kilobytes} kB`);
});

test('the readers of .xls and .ods come when they are needed, with less than 8 kB', () => {
  const readers = ['xls-', 'ods-'].flatMap(workersNamed);
  assert.equal(readers.length, 2);
  const kilobytes = kilobytesOf(readers.map((name) => `assets/${name}`));
  assert.ok(kilobytes > 1 && kilobytes < 8, `${kilobytes} kB`);
});

test('a spreadsheet needs less than 55 kB, with its worker and its words', () => {
  const workers = workersNamed('sheet-worker-');
  assert.equal(workers.length, 1);
  const names = Object.keys(chunks).filter((name) => /^src\/uploads\/spreadsheet\/[^/]+$/.test(name));
  assert.ok(names.length > 0);
  const own = closureOf([...names, 'src/uploads/spreadsheet/words/ru.ts']).difference(start);
  const kilobytes = kilobytesOf([...own, ...workers.map((name) => `assets/${name}`)]);
  assert.ok(kilobytes < 55, `${kilobytes} kB`);
});
