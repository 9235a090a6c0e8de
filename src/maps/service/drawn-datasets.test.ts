import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('what is not a raster is refused at once, not after the wait for a view that is being made', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return await Promise.resolve(vector);
  };
  const reading = readRaster({ read }, vector.id, { signal: new AbortController().signal });
  await assert.rejects(reading, (error) => error instanceof Problem && error.code === 'invalid');
  assert.equal(reads, 1);
});
