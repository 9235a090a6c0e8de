import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSteps } from '../messages/datasets/english.ts';
import { getCogKey, getGeoJsonKeys } from './outputs.ts';

test('a table that waits for its mapping, or whose mapping has failed, says so to who wants its GeoJSON', () => {
  const table = { file_type: 'vector_with_kato', kato_column: null, files: [] } as const;
  assert.throws(() => getGeoJsonKeys({ ...table, status: 'awaiting_mapping' }), {
    code: 'conflict',
    message:
      'the dataset is awaiting_mapping; its GeoJSON exists once it is ready: ' +
      'POST /datasets/{id}/mapping comes next, with columns out of its attribute_columns',
  });
  const retry = 'parse_error gives the reason, and POST /datasets/{id}/retry tries again';
  for (const [kato_column, ending] of [
    [null, retry],
    ['note', `${retry}, or, with step=mapping, allows another mapping`],
  ] as const) {
    assert.throws(() => getGeoJsonKeys({ ...table, kato_column, status: 'failed' }), {
      message: `the dataset is failed; its GeoJSON exists once it is ready: ${ending}`,
    });
  }
});

test('a dataset under way says where to wait, one that failed how to go on', () => {
  const raster = { file_type: 'raster', files: [] } as const;
  assert.throws(() => getCogKey({ ...raster, status: 'processing' }), {
    message:
      'the raster is processing; its COG has not been made: GET /datasets/{id}/status shows its progress',
  });
  assert.throws(() => getCogKey({ ...raster, status: 'failed' }), {
    message:
      'the raster is failed; its COG has not been made: ' +
      'parse_error gives the reason, and POST /datasets/{id}/retry tries again',
  });
});

test('a dataset that is ready has no next step', () => {
  assert.equal(nextSteps.ready, '');
});
