import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nodeCodes } from '../../acceptance/support/graph.ts';
import { codesOf, nodeOf, type Run } from '../../acceptance/support/landscape.ts';
import { assertComputed, createLandscapeClient, enlarged, golden, leaves } from '../../support/landscape.ts';
import { startService } from '../../support/service.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const slots = leaves.map((leaf) => `landscape-in-${leaf}`);
const late = ['landscape-in-pet', 'landscape-in-distance-road'];

/** Whatever is uploaded later without a date is older, and is read only by the run that pins it. */
const dated = { end_date: '2020-12-31' };

const service = await closeAfterTests(
  startService({ env: { LOG_LEVEL: 'warn', LANDSCAPE_MAX_PIXELS: '16' } }),
);
const client = createLandscapeClient(service.baseUrl);

describe('a run that cannot succeed', () => {
  test('names all slots that are empty, at the lowest node that reads one', async () => {
    const empty = await client.finished((await client.start()).id);
    assertFailed(empty, '01', `no ready raster for input groups: ${slots.join(', ')}`);
    assert.deepEqual(codesOf(empty, 'pending'), nodeCodes.slice(1));
    for (const leaf of leaves.filter((each) => !late.includes(`landscape-in-${each}`))) {
      await client.fill(leaf, await golden(leaf), dated);
    }
    const sentence = `no ready raster for input groups: ${late.join(', ')}`;
    const { status, body: dry } = await client.json<Run>('/landscape/runs?dry_run=true', { method: 'POST' });
    assert.equal(status, 200);
    assert.deepEqual(codesOf(dry, 'pending'), nodeCodes);
    assert.equal(nodeOf(dry, '03').error, sentence);
    assertFailed(await client.finished((await client.start()).id), '03', sentence);
  });

  test('leaves the slots filled for the next one, which succeeds', async () => {
    for (const group of late) {
      const leaf = group.replace('landscape-in-', '');
      await client.fill(leaf, await golden(leaf), dated);
    }
    assertComputed(await client.run(), nodeCodes);
  });

  test('says that a grid has more pixels than it may', async () => {
    const file = await enlarged(await golden('dem'), 17, 1);
    await assertRefused('dem', file, '01', 'reference raster: too many pixels');
  });

  test('says that a pinned dataset is gone, when it was deleted while the run waited', async () => {
    const pinned = await client.fill('ndvi', await golden('ndvi'));
    const ahead = await client.start({ from_stage: 0 });
    const { id } = await client.start({ overrides: { 'landscape-in-ndvi': pinned } });
    assert.equal((await fetch(`${service.baseUrl}/datasets/${pinned}`, { method: 'DELETE' })).status, 204);
    assert.equal((await client.read(id)).status, 'queued');
    assert.equal((await client.finished(ahead.id)).status, 'succeeded');
    const sentence = `dataset ${pinned} of group landscape-in-ndvi is not available`;
    assertFailed(await client.finished(id), '04', sentence);
  });

  /** A run that pins this file fails for it, and publishes nothing. */
  async function assertRefused(leaf: string, file: File, code: string, sentence: string): Promise<void> {
    const id = await client.fill(leaf, file);
    const results = await client.json('/landscape/results');
    const overrides = { [`landscape-in-${leaf}`]: id };
    assertFailed(await client.finished((await client.start({ overrides })).id), code, sentence);
    assert.deepEqual(await client.json('/landscape/results'), results);
  }
});

function assertFailed(run: Run, code: string, sentence: string): void {
  assert.equal(run.status, 'failed');
  assert.equal(run.error, `${code}: ${sentence}`);
  assert.deepEqual(codesOf(run, 'failed'), [code]);
  assert.equal(nodeOf(run, code).error, sentence);
  const others = nodeCodes.filter((each) => each !== code);
  assert.deepEqual([...codesOf(run, 'pending'), ...codesOf(run, 'skipped')].toSorted(compare), others);
  assert.ok(run.finished_at !== null);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}
