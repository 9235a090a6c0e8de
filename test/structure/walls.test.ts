import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { projectRoot, readProjectFile } from '../support/project.ts';

const child = 'src/geo/child/main.ts';
const format = 'src/geo/formats/tiff/walk.ts';
const parent = 'src/geo/parent/children.ts';

/** Arrows that lint refuses, because they would open a wall, beside the arrows that it lets pass. */
const arrows: readonly (readonly [from: string, to: string, verdict: 'refused' | 'allowed'])[] = [
  ['src/http/x.ts', child, 'refused'],
  ['src/processing/x.ts', child, 'refused'],
  ['src/compose/x.ts', child, 'refused'],
  ['src/geo/x.ts', child, 'refused'],
  ['src/geo/parent/x.ts', child, 'refused'],
  ['src/landscape/compute/x.ts', 'src/landscape/compute/child/main.ts', 'refused'],
  ['src/geo/parent/x.ts', format, 'refused'],
  ['src/datasets/x.ts', format, 'refused'],
  ['src/geo/parent/x.ts', 'gdal-async', 'refused'],
  ['src/landscape/grid/x.ts', 'gdal-async', 'refused'],
  ['src/geo/child/x.ts', parent, 'refused'],
  ['src/geo/formats/tiff/x.ts', parent, 'refused'],
  ['src/landscape/compute/child/x.ts', parent, 'refused'],
  ['src/geo/child/x.ts', 'src/database/tables.ts', 'refused'],
  ['src/geo/child/x.ts', 'src/config.ts', 'refused'],
  ['src/geo/child/x.ts', 'src/landscape/graph/graph.ts', 'refused'],
  ['src/datasets/x.ts', parent, 'refused'],
  ['src/jobs/x.ts', 'src/message-queue/postgres.ts', 'refused'],
  ['src/http/x.ts', 'src/object-store/directory.ts', 'refused'],
  ['src/jobs/x.ts', 'src/message-queue/nats/queue.ts', 'refused'],
  ['src/object-store/x.ts', 'src/object-store/s3/store.ts', 'refused'],
  ['src/database/x.ts', 'src/database/embedded/embedded.ts', 'refused'],
  ['src/clients/demo/x.ts', 'src/datasets/schema.ts', 'refused'],
  ['src/clients/demo/x.ts', 'src/config.ts', 'refused'],
  ['test/acceptance/x.ts', 'src/common/units.ts', 'refused'],
  ['src/http/routes/x.ts', 'src/drawing/thread/main.ts', 'refused'],
  ['src/drawing/x.ts', 'src/drawing/thread/handlers.ts', 'refused'],
  ['src/drawing/thread/raster/x.ts', 'gdal-async', 'refused'],
  ['src/drawing/thread/raster/x.ts', 'src/geo/formats/zip/archive.ts', 'refused'],
  ['src/drawing/thread/raster/x.ts', 'src/database/tables.ts', 'refused'],
  ['src/drawing/thread/raster/x.ts', 'src/object-store/ledger.ts', 'refused'],
  ['src/drawing/thread/tiff/x.ts', format, 'allowed'],
  ['console/src/map/x.ts', 'src/common/units.ts', 'refused'],
  ['src/portrayal/style/x.ts', 'src/common/units.ts', 'refused'],
  ['src/portrayal/raster/x.ts', 'node:zlib', 'refused'],
  ['src/portrayal/style/x.ts', 'console/src/words/en.ts', 'refused'],
  ['console/src/map/x.ts', 'src/portrayal/style/sld-read.ts', 'allowed'],
  ['src/portrayal/style/x.ts', 'saxes', 'allowed'],
  ['src/portrayal/raster/x.ts', 'src/portrayal/style/ramps.ts', 'allowed'],
  ['src/geo/child/x.ts', 'gdal-async', 'allowed'],
  ['src/geo/child/x.ts', format, 'allowed'],
  ['src/landscape/compute/child/x.ts', 'src/geo/child/raster/raster-reader.ts', 'allowed'],
  ['src/landscape/compute/driver.ts', parent, 'allowed'],
  ['src/compose/x.ts', 'src/message-queue/postgres.ts', 'allowed'],
  ['src/compose/x.ts', 'src/object-store/s3/store.ts', 'allowed'],
  ['src/compose/x.ts', parent, 'allowed'],
  ['src/geo/parent/x.ts', 'src/geo/engine.ts', 'allowed'],
  ['src/clients/demo/x.ts', 'src/clients/client/service-client.ts', 'allowed'],
];

describe('lint keeps the walls', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steppe-walls-'));
  const refused = new Set<string>();

  before(() => {
    // What needs a type checker is left out, because the folder has none.
    const config: unknown = JSON.parse(readProjectFile('.oxlintrc.json'));
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...Object(config), options: {} }));
    for (const from of new Set(arrows.map(([file]) => file))) writeImports(from);
    const { stdout } = spawnSync(join(projectRoot, 'node_modules/.bin/oxlint'), ['--format=unix'], {
      cwd: folder,
      encoding: 'utf8',
    });
    for (const line of stdout.split('\n')) {
      const place = /^(?<file>[^:]+):(?<line>\d+):.*no-restricted-imports/.exec(line)?.groups;
      if (place !== undefined) refused.add(`${place['file']}:${place['line']}`);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [index, [from, to, verdict]] of arrows.entries()) {
    test(`${from} to ${to}: ${verdict}`, () =>
      assert.equal(refused.has(`${from}:${index + 1}`), verdict === 'refused'));
  }

  /** Line n imports what the n-th arrow points to, so that a finding's line says which arrow it is about. */
  function writeImports(from: string): void {
    const lines = arrows.map(([file, to], index) => {
      if (file !== from) return '';
      const path = relative(dirname(file), to);
      const specifier = /^(?:console\/)?src\//.test(to) ? (path.startsWith('.') ? path : `./${path}`) : to;
      return `import * as part${index} from '${specifier}';`;
    });
    mkdirSync(dirname(join(folder, from)), { recursive: true });
    writeFileSync(join(folder, from), `${lines.join('\n')}\n`);
  }
});
