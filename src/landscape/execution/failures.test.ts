import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteDataset } from '../../datasets/deletion/delete.ts';
import { listResults } from '../groups/results.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { getRunPlan, planDryRun, planWithoutRun } from '../plan/plan-answers.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { codesOf, startRuns } from '../../../test/support/landscape/runs.ts';

const nodeCodes = nodes.map(({ code }) => code);
const late = ['pet', 'distance-road'];
const groupOf = (key: string) => `landscape-in-${key}`;
const groupsOf = (keys: readonly string[]) => keys.map(groupOf).join(', ');

/** Later rasters without a date are older and read only by runs that pin them. */
const dated = { end_date: '2020-12-31' };

const runs = await closeAfterTests(startRuns({ maxPixels: 16 }));
const { db } = runs;

describe('a run that cannot succeed', () => {
  test('names all slots that are empty, at the lowest node that reads one', async () => {
    const empty = await runs.execute();
    const all = groupsOf(leaves.map(({ key }) => key));
    assertFailed(empty, '01', `no ready raster for input groups: ${all}`);
    assert.deepEqual(codesOf(empty, 'pending'), nodeCodes.slice(1));
    for (const { key } of leaves) if (!late.includes(key)) await runs.fill(key, dated);
    const sentence = `no ready raster for input groups: ${groupsOf(late)}`;
    const dry = await planDryRun(db, undefined);
    assert.deepEqual(codesOf(dry, 'pending'), nodeCodes);
    assert.equal(errorOf(dry, '03'), sentence);
    const plan = await planWithoutRun(db, undefined);
    assert.deepEqual([plan.error, plan.missing, plan.nodes], [sentence, late.map(groupOf), []]);
    const run = await runs.execute();
    assertFailed(run, '03', sentence);
    assert.deepEqual(await getRunPlan(db, run.id), { ...plan, planned_at: run.started_at });
  });

  test('leaves the slots filled for the next one, which succeeds', async () => {
    for (const key of late) await runs.fill(key, dated);
    const run = await runs.execute();
    assert.deepEqual([run.status, codesOf(run, 'succeeded')], ['succeeded', nodeCodes]);
  });

  test('says that a grid has more pixels than it may', async () => {
    const dem = await runs.addRaster('landscape-in-dem', 'raster/dsm_2m.tif');
    const results = await listResults(db, 'en');
    const run = await runs.execute({ overrides: { 'landscape-in-dem': dem } });
    assertFailed(run, '01', 'reference raster: too many pixels');
    assert.deepEqual(await listResults(db, 'en'), results);
  });

  test('says that a pinned dataset is gone, when it was deleted while the run waited', async () => {
    const pinned = await runs.fill('ndvi');
    const { id, status } = await runs.create({ overrides: { 'landscape-in-ndvi': pinned } });
    assert.equal(status, 'queued');
    await deleteDataset({ db, objectStore: runs.store }, pinned);
    const worker = runs.start();
    const sentence = `dataset ${pinned} of group landscape-in-ndvi is not available`;
    assertFailed(await runs.finished(id), '04', sentence);
    await worker.stop();
  });
});

function assertFailed(run: LandscapeRun, code: string, sentence: string): void {
  assert.equal(run.status, 'failed');
  assert.equal(run.error, `${code}: ${sentence}`);
  assert.deepEqual(codesOf(run, 'failed'), [code]);
  assert.equal(errorOf(run, code), sentence);
  const others = nodeCodes.filter((each) => each !== code);
  assert.deepEqual([...codesOf(run, 'pending'), ...codesOf(run, 'skipped')].toSorted(), others);
  assert.ok(run.finished_at !== null);
}

function errorOf(run: LandscapeRun, code: string): string | null | undefined {
  return run.nodes?.find((node) => node.node_code === code)?.error;
}
