import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cogMutants } from '../mutants/cog-mutants.ts';
import { earthMutants } from '../mutants/earth-mutants.ts';
import { geoJsonMutants } from '../mutants/geojson-mutants.ts';
import { mutants } from '../mutants/mutants.ts';
import { projectRoot } from '../support/project.ts';

test('every planted fault still has its place in the source, and its test a file', () => {
  const stale = [...mutants, ...geoJsonMutants, ...earthMutants, ...cogMutants].filter(
    ({ file, from, test: seenBy }) => {
      const path = join(projectRoot, file);
      const places = existsSync(path) ? readFileSync(path, 'utf8').split(from).length - 1 : 0;
      return places !== 1 || !existsSync(join(projectRoot, seenBy.file));
    },
  );
  assert.deepEqual(
    stale.map(({ title, file }) => `${title} (${file})`),
    [],
  );
});
