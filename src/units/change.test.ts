import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planDistricts } from './change.ts';

const before = new Map([
  ['110000000', 'region'],
  ['150000000', 'region'],
  ['111000000', 'district'],
] as const);
const districts = new Map([
  ['111000000', 'district'],
  ['113200000', 'district'],
] as const);

test('without replacement units are added and changed alone', () => {
  assert.deepEqual(planDistricts(before, districts, 'none'), {
    counts: { added: 1, changed: 1, removed: 0, total: 4 },
    removed: [],
  });
});

test('what is not given is replaced within the levels of which something is given', () => {
  const given = new Map([...districts, ['150000000', 'region'] as const]);
  assert.deepEqual(planDistricts(before, given, 'given-levels'), {
    counts: { added: 1, changed: 2, removed: 1, total: 3 },
    removed: ['110000000'],
  });
});

test('a level of which nothing is given is emptied only when that is asked for', () => {
  assert.throws(() => planDistricts(before, districts, 'given-levels'), {
    name: 'Problem',
    message:
      '--replace would remove 2 regions: the file has none, only 2 districts. Nothing was changed. ' +
      'Leave --replace out to keep what the file does not have, or give --replace-all-levels to remove the regions too.',
  });
  assert.deepEqual(planDistricts(before, districts, 'all-levels'), {
    counts: { added: 1, changed: 1, removed: 2, total: 2 },
    removed: ['110000000', '150000000'],
  });
  const region = new Map([['110000000', 'region'] as const]);
  assert.throws(() => planDistricts(before, region, 'given-levels'), /remove 1 district:.* only 1 region\./);
});

test('nothing is refused where nothing of a level would go', () => {
  const regions = new Map([...before].filter(([, level]) => level === 'region'));
  assert.equal(planDistricts(regions, districts, 'none').counts.total, 4);
  assert.equal(planDistricts(new Map(), districts, 'given-levels').counts.total, 2);
  const allAsDistricts = new Map([...before.keys()].map((code) => [code, 'district'] as const));
  assert.deepEqual(planDistricts(before, allAsDistricts, 'given-levels').removed, []);
});
