import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { projectRoot } from '../support/project.ts';
import { importsOf, sourceFilesOf } from '../support/source-tree.ts';
import { breachesOf, walls } from './walls.ts';

const imports = importsOf([
  ...sourceFilesOf('src'),
  ...sourceFilesOf('common'),
  ...sourceFilesOf('console/src'),
  ...sourceFilesOf('tools'),
  ...sourceFilesOf('engines'),
  ...globSync('test/acceptance/**/*.ts', { cwd: projectRoot }),
]);

for (const wall of walls) {
  const places = 'behind' in wall ? wall.behind : wall.within;

  test(`${places.join(', ')}: ${wall.why}`, () => {
    for (const place of places) {
      const stands = imports.some(({ file, target }) => file.startsWith(place) || target.startsWith(place));
      assert.ok(stands, `nothing lies at ${place}`);
    }
    assert.deepEqual(breachesOf(wall, imports), []);
  });

  test(`${places.join(', ')}: an import through the wall is found`, () => {
    for (const place of places) {
      const [file, target] =
        'behind' in wall
          ? ['src/datasets/x.ts', place]
          : [place.endsWith('/') ? `${place}x.ts` : place, 'src/http/routes/x.ts'];
      assert.equal(breachesOf(wall, [{ file, target, isPackage: false, isType: false }]).length, 1);
    }
  });
}

for (const program of [
  'src/geo/child/main.ts',
  'src/landscape/compute/child/main.ts',
  'src/landscape/compute/child/make/main.ts',
]) {
  test(`${program} loads no zod, which would take a quarter of the time in which it starts`, () => {
    const loaded = new Set([program]);
    for (const file of loaded)
      for (const { target, isType } of imports.filter((each) => each.file === file))
        if (!isType) loaded.add(target);
    assert.ok(loaded.has('gdal-async') && !loaded.has('zod'), [...loaded].join(', '));
  });

  test(`${program} trims gdal-async before anything loads it, so that it starts with 200 modules less`, () => {
    const [first] = imports.filter(({ file }) => file === program);
    assert.equal(first?.target, 'src/geo/gdal/answer-once.ts');
    const [next] = imports.filter(({ file }) => file === first.target);
    assert.equal(next?.target, 'src/geo/gdal/trim-gdal-async.ts');
  });
}
