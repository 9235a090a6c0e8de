import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nodes } from '../graph/graph.ts';
import { sumCounts } from '../execution/source-faults.ts';
import { computeWhole, openLandscapeEngine } from '../../../test/support/landscape/landscape-engine.ts';
import { writeLandscape } from '../../../test/support/landscape/steppe-landscape.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const size = { width: 1100, height: 760 };

const engine = await closeAfterTests(openLandscapeEngine());
const files = writeLandscape(engine.folder, size);
const inspected = await engine.inspect(files);
assert.deepEqual(inspected.faults, {});
assert.ok(inspected.grid !== undefined);
const { grid } = inspected;
const expected = await run(8192, 1);

async function run(windowSize: number, workers: number) {
  const pass = await computeWhole(engine, { grid, sources: files, windowSize, workers });
  return {
    pass,
    digests: await pass.digests(),
    counts: sumCounts(pass.results.map((result) => result.sources)),
    gaps: pass.gaps(),
  };
}

describe('A landscape pass', () => {
  test('computes something of everything', async () => {
    const codes = new Set(await expected.pass.raster('34'));
    for (const code of [0, 11, 12, 13, 14, 21, 31, 32, 40]) assert.ok(codes.has(code), `zone ${code}`);
    for (const node of nodes.filter(({ output }) => output.type === 'float32')) {
      const raster = await expected.pass.raster(node.code);
      const values = new Float32Array(raster.buffer, raster.byteOffset, raster.length / 4);
      const valid = values.reduce((count, value) => count + (value === -9999 ? 0 : 1), 0);
      assert.ok(valid > 0.5 * values.length && valid < values.length, `${node.code}: ${valid}`);
    }
  });

  for (const [windowSize, workers] of [
    [256, 1],
    [300, 2],
    [512, 4],
  ] as const) {
    test(`gives the same bits by windows of ${windowSize} in ${workers} processes`, async () => {
      const { pass, digests, counts, gaps } = await run(windowSize, workers);
      assert.equal(pass.results.length, workers);
      assert.deepEqual(digests, expected.digests);
      assert.deepEqual(counts, expected.counts);
      assert.deepEqual(gaps, expected.gaps);
      assert.ok(gaps.alone.filter((area) => area > 0).length > 3);
    });
  }
});
