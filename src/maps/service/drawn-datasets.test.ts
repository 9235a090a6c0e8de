import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createJobEnds } from '../../jobs/job-ends.ts';
import { Problem } from '../../lib/errors.ts';
import { readRaster } from './drawn-datasets.ts';

const vector = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Wells',
  unit: null,
  file_type: 'vector',
  status: 'ready',
  filename: 'wells.geojson',
  kato_column: null,
  year_columns: null,
  view_state: null,
  bbox: null,
  dg_id: null,
  files: [],
  sld_key: null,
  group_code: null,
} as const;

const hears = new Set<(payload: string) => void>();
const listener = {
  subscribe: (_channel: string, hear: (payload: string) => void) => {
    hears.add(hear);
    return { close: async () => void hears.delete(hear) };
  },
  check: async () => undefined,
  close: async () => undefined,
};

test('what is not a raster is refused at once, not after the wait for a view that is being made', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return await Promise.resolve(vector);
  };
  const waitForJob = () => assert.fail('it waits');
  const reading = readRaster({ read, waitForJob }, vector.id, { signal: new AbortController().signal });
  await assert.rejects(reading, (error) => error instanceof Problem && error.code === 'invalid');
  assert.equal(reads, 1);
});

test('a view that is being made is read again when its job ends, and not before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const jobEnds = createJobEnds(listener);
  const plain = { encoding: 'identity', madeFrom: null } as const;
  const files = [
    { kind: 'cog', key: 'cog', ...plain },
    { kind: 'view_mesh', key: 'mesh', ...plain },
  ] as const;
  let state: 'pending' | 'made' = 'pending';
  let reads = 0;
  const read = async () => {
    reads += 1;
    return await Promise.resolve({ ...vector, file_type: 'raster' as const, view_state: state, files });
  };
  const reading = readRaster({ read, waitForJob: jobEnds.wait }, vector.id, {
    signal: new AbortController().signal,
  });
  await nextTurn();
  t.mock.timers.tick(900);
  await nextTurn();
  assert.equal(reads, 1);
  state = 'made';
  for (const hear of hears) hear(vector.id);
  const late = nextTurn().then(() => assert.fail('it does not hear of the end of the job'));
  const { cogKey, meshKey } = await Promise.race([reading, late]);
  await assert.rejects(late);
  assert.deepEqual([cogKey, meshKey, reads], ['cog', 'mesh', 2]);
  await jobEnds.close();
});
