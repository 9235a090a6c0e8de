import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatasetSummary, LandscapePlan, LandscapeSlot } from '../../service/types.ts';
import type { Upload } from '../../uploads/uploads.ts';
import { findingsOn, holesOf, isUsable, notesOn, whyNot, severityOf } from './slot-notes.ts';

type Input = LandscapePlan['inputs'][number];

function dataset(id: string, facts: Partial<DatasetSummary> = {}): DatasetSummary {
  const dates = { start_date: null, end_date: null, created_at: '', updated_at: '' };
  const texts = { name: id, description: null, unit: null, category_id: 'c', dg_id: 'g' };
  return { id, ...dates, ...texts, file_type: 'raster', size_bytes: 1, status: 'ready', ...facts };
}

function input(facts: Partial<Input>): Input {
  return { group: 'dem', dataset: dataset('taken'), because: 'only', waiting: null, ...facts };
}

function slot(latest: DatasetSummary | null = null): LandscapeSlot {
  return { code: 'dem', title: 'Elevation', group_id: 'g', latest };
}

function sent(datasetId: string, status: DatasetSummary['status'], code = 'dem'): Upload {
  const common = {
    id: 1,
    isTable: false,
    slot: { code, title: 'Elevation' },
    parseError: status === 'failed' ? 'No CRS' : null,
  };
  const findDestination = async () => await Promise.resolve({ maxBytes: 1 });
  return {
    ...common,
    file: new File([], `${datasetId}.tif`),
    findDestination,
    state: 'sent',
    datasetId,
    status,
  };
}

test('a file in work is told, and whether a run takes it once it is ready', () => {
  const waiting = dataset('new', { status: 'processing' });
  assert.deepEqual(notesOn(input({ waiting }), slot(), [sent('new', 'processing')]), [
    { kind: 'inWork', name: 'new', isNext: true },
  ]);
  assert.deepEqual(notesOn(input({ waiting, because: 'pinned' }), slot(), []), [
    { kind: 'inWork', name: 'new', isNext: false },
  ]);
  // Without a period it would not be the freshest.
  assert.deepEqual(notesOn(input({}), slot(), [sent('new', 'pending'), sent('other', 'pending', 'pet')]), [
    { kind: 'inWork', name: 'new', isNext: false },
  ]);
});

test('an upload that is ready and not taken is told, and why', () => {
  const uploads = [sent('new', 'ready')];
  assert.deepEqual(notesOn(input({ because: 'later_end_date' }), slot(), uploads), [
    { kind: 'passedOver', id: 'new', name: 'new', taken: 'taken' },
  ]);
  assert.deepEqual(notesOn(input({ dataset: dataset('new') }), slot(), uploads), []);
  assert.deepEqual(notesOn(input({ because: 'pinned' }), slot(dataset('new')), uploads), [
    { kind: 'otherwise', name: 'new' },
  ]);
});

test('a failed upload has its reason where this visit knows it', () => {
  const waiting = dataset('bad', { status: 'failed' });
  const note = { kind: 'failed', id: 'bad', name: 'bad' };
  assert.deepEqual(notesOn(input({ waiting }), slot(), []), [{ ...note, reason: undefined }]);
  assert.deepEqual(notesOn(input({ waiting }), slot(), [sent('bad', 'failed')]), [
    { ...note, reason: 'No CRS' },
  ]);
  assert.deepEqual(notesOn(input({}), slot(), [sent('bad', 'failed')]), [{ ...note, reason: 'No CRS' }]);
});

test('each upload that is not taken has a reason', () => {
  const taken = dataset('taken', { end_date: '2021-12-31' });
  const fresh = input({ dataset: taken, because: 'later_end_date' });
  assert.equal(whyNot(taken, fresh), undefined);
  assert.equal(whyNot(dataset('old', { end_date: '2020-12-31' }), fresh), 'later');
  assert.equal(whyNot(dataset('undated'), fresh), 'later');
  assert.equal(whyNot(dataset('same', { end_date: '2021-12-31' }), fresh), 'newer');
  assert.equal(whyNot(dataset('other'), { ...fresh, because: 'pinned' }), 'pinned');
  assert.equal(whyNot(dataset('new', { status: 'processing' }), fresh), 'waiting');
  assert.equal(whyNot(dataset('bad', { status: 'failed' }), fresh), 'failed');
  assert.equal(whyNot(dataset('table', { file_type: 'vector' }), fresh), 'type');
  assert.equal(whyNot(dataset('old'), undefined), undefined);
});

test('holes are told for the dataset that was looked at, and only where there are some', () => {
  const gaps = (missing_ha: number, dataset_id = 'taken') => ({
    is_estimate: true,
    unit: 'ha' as const,
    grid_ha: 200,
    without_zone_ha: 10,
    inputs: [{ group: 'dem', dataset_id, missing_ha, alone_ha: 5 }],
  });
  assert.deepEqual(holesOf(input({}), gaps(20)), [
    { kind: 'holes', name: 'dem', covered: 0.9, alone: 0.025 },
  ]);
  assert.deepEqual(holesOf(input({}), gaps(0)), []);
  assert.deepEqual(holesOf(input({}), gaps(20, 'before')), []);
  assert.deepEqual(holesOf(input({}), undefined), []);
});

test('what was found about a dataset decides whether it is ready, and is told, the worst first', () => {
  const finding = (
    severity: 'stops' | 'warns' | 'waits',
    code: 'picture' | 'little_overlap' | 'not_judged',
  ) => ({
    code,
    severity,
    message: `about ${code}`,
  });
  const warned = input({ findings: [finding('warns', 'little_overlap')] });
  const stopped = input({ findings: [finding('stops', 'picture'), finding('warns', 'little_overlap')] });
  const waiting = input({ findings: [finding('waits', 'not_judged')] });
  const all = [input({ findings: [] }), input({}), warned, stopped, waiting, input({ dataset: null })];
  assert.deepEqual(all.map(severityOf), [undefined, undefined, 'warns', 'stops', 'waits', undefined]);
  assert.deepEqual(all.map(isUsable), [true, true, true, false, true, false]);
  const told = { kind: 'finding', name: 'little_overlap', severity: 'warns', text: 'about little_overlap' };
  assert.deepEqual(findingsOn(warned, undefined), [told]);
  assert.equal(findingsOn(stopped, undefined).length, 2);
  const gaps = { is_estimate: true, unit: 'ha' as const, grid_ha: 200, without_zone_ha: 10 };
  const holes = { ...gaps, inputs: [{ group: 'dem', dataset_id: 'taken', missing_ha: 150, alone_ha: 0 }] };
  assert.deepEqual(findingsOn(warned, holes), [], 'its holes are told instead');
});
