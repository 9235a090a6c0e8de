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

test('a geo child loads no zod, which would take a quarter of the time in which it starts', () => {
  const loaded = new Set(['src/geo/child/main.ts']);
  for (const file of loaded)
    for (const { target, isType } of imports.filter((each) => each.file === file))
      if (!isType) loaded.add(target);
  assert.ok(loaded.has('gdal-async') && !loaded.has('zod'), [...loaded].join(', '));
});
