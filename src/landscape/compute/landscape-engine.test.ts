import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EngineDied } from '../../geo/engine.ts';
import { childEnvironment } from '../../geo/parent/sandbox/isolation.ts';
import type { BandFile, Batch } from './landscape-engine.ts';
import { SourceUnreadable } from './source-errors.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { LandscapeParams } from '../model/params.ts';
import { askChild, fixture } from '../../../test/support/geo/engine.ts';
import { openLandscapeEngine } from '../../../test/support/landscape/landscape-engine.ts';
import { descendantsOf, eventually } from '../../../test/support/processes.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const entry = fileURLToPath(new URL('./child/main.ts', import.meta.url));
const golden = (name: string) => fixture(`landscape/golden/${name}.tif`);
const sources: readonly BandFile[] = leaves.map(({ key }) => ({ key, path: golden(key) }));
const engine = await closeAfterTests(openLandscapeEngine());
const inspected = await engine.inspect([...sources]);

describe('The landscape engine', () => {
  async function batch(changes: Partial<Batch> = {}): Promise<Batch> {
    const { grid } = inspected;
    assert.ok(grid !== undefined);
    return {
      grid,
      params: LandscapeParams.parse({}),
      nodes: nodes.map(({ code }) => code),
      sources: [...sources],
      windows: [{ x: 0, y: 0, width: 4, height: 4 }],
      folder: await mkdtemp(join(engine.folder, 'batch-')),
      ...changes,
    };
  }

  test('finds the grid of the elevation and nothing wrong with the golden leaves', async () => {
    const { grid, ...others } = inspected;
    assert.deepEqual(others, { faults: {} });
    assert.ok(grid !== undefined);
    const { wkt, ...place } = grid;
    assert.match(wkt, /WGS 84 \/ UTM zone 42N/);
    assert.deepEqual(place, {
      width: 4,
      height: 4,
      left: 500_000,
      top: 5_550_000,
      resX: 1000,
      resY: 1000,
      crs: { kind: 'projected', metresPerUnit: 1 },
    });
  });

  test('computes every node, and counts what its sources hold of the grid', async () => {
    const { parts, sources: counts } = await engine.compute(await batch());
    assert.deepEqual(
      parts.map(({ code }) => code),
      nodes.map(({ code }) => code),
    );
    assert.deepEqual(counts['precipitation'], { covered: 16, valid: 15, invalid: 0 });
    assert.deepEqual(counts['protected-areas'], { covered: 16, valid: 16, invalid: 0 });
    assert.deepEqual(Object.keys(counts).toSorted(), leaves.map(({ key }) => key).toSorted());
  });

  test('names a source whose pixels cannot be read', async () => {
    const cut = join(engine.folder, 'cut.tif');
    await copyFile(fixture('raster/dsm_2m.tif'), cut);
    await truncate(cut, 60_000);
    const { grid } = await engine.inspect([{ key: 'dem', path: cut }]);
    assert.ok(grid !== undefined);
    const windows = [{ x: 0, y: 0, width: grid.width, height: grid.height }];
    const work = await batch({ grid, windows, nodes: ['01'], sources: [{ key: 'dem', path: cut }] });
    await assert.rejects(
      engine.compute(work),
      (error) => error instanceof SourceUnreadable && error.key === 'dem',
    );
  });

  test('reports a child that is killed as dead', async () => {
    const computing = engine.compute(await endless());
    const { pid } = await eventually('a child computes', async () =>
      (await descendantsOf(process.pid)).find(({ commandLine }) =>
        commandLine.includes('compute/child/main.ts'),
      ),
    );
    process.kill(pid, 'SIGKILL');
    await assert.rejects(computing, EngineDied);
  });

  test('reports a child that is over its deadline as dead', async () => {
    const hasty = await openLandscapeEngine({ deadlineSeconds: 1 });
    await assert.rejects(hasty.compute(await endless()), EngineDied);
    await hasty.close();
  });

  test('refuses to work while any other driver is registered', async () => {
    const env = childEnvironment(engine.folder, ['VRT']);
    const answer = await askChild(entry, { task: 'inspect', work: { sources: [] } }, env);
    assert.equal(answer.outcome, 'fault');
    assert.match(answer.message ?? '', /drivers beyond the allowed ones are registered/);
  });

  /** A batch that never ends: its elevation is a pipe into which nothing is written. */
  async function endless(): Promise<Batch> {
    const folder = await mkdtemp(join(engine.folder, 'endless-'));
    const path = join(folder, 'dem.tif');
    await promisify(execFile)('mkfifo', [path]);
    return await batch({ folder, nodes: ['01'], sources: [{ key: 'dem', path }] });
  }
});
