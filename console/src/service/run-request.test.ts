import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hrefOf, parseAddress } from '../address/address.ts';
import {
  moved,
  queryOf,
  readRequest,
  type RunRequest,
  settingsHref,
  valueIn,
  withParam,
  withPin,
} from './run-request.ts';

const param = (name: string, usual: number | readonly number[], limits?: readonly [number, number]) => ({
  name,
  title: name,
  description: name,
  minimum: limits?.[0] ?? null,
  maximum: limits?.[1] ?? null,
  default: usual,
});
const threshold = param('v1_min_s_e3', 4, [1, 5]);
const order = param('tie_priority', [1, 2, 3, 4, 5]);
const params = [param('window_size', 2048, [256, 8192]), order, threshold];
const usual: RunRequest = { params: {}, overrides: {}, from_stage: null };
const [one, other] = ['f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05', '91c7e0b4-62d5-4a3f-8e19-0b5d7c2f8a61'];

const read = (query: string) => readRequest(new URLSearchParams(query), params);

test('an address without a query is a run with all defaults, and is written without one', () => {
  assert.deepEqual(read(''), { ...usual, misread: [] });
  assert.equal(hrefOf(['landscape'], queryOf(usual, params)), '#/landscape');
});

test('what differs from the defaults stands in the address, and reads back', () => {
  const request: RunRequest = {
    params: { v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5], window_size: 512 },
    overrides: { 'landscape-in-dem': one, 'landscape-31-max-suitability': other },
    from_stage: 0,
  };
  const href = hrefOf(['landscape'], queryOf(request, params));
  const { misread, ...back } = readRequest(parseAddress(href).query, params);
  assert.deepEqual(back, request);
  assert.deepEqual(misread, []);
  const example = `v1_min_s_e3=5&ties=3,1,2,4,5&from=2&pin=landscape-in-dem:${one}`;
  assert.deepEqual(read(example), {
    params: { v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5] },
    overrides: { 'landscape-in-dem': one },
    from_stage: 2,
    misread: [],
  });
});

test('a default that stands in the address asks for nothing', () => {
  assert.deepEqual(read('v1_min_s_e3=4&ties=1,2,3,4,5&window_size=2048'), { ...usual, misread: [] });
});

test('what cannot be is left out and named', () => {
  const broken = [
    'v1_min_s_e3=6',
    'v1_min_s_e3=',
    'v1_min_s_e3=4.5',
    'window_size=255',
    'ties=1,2,3,4',
    'ties=1,1,2,3,4',
    'ties=1,2,3,4,5,5',
    'ties=0,1,2,3,4',
    'ties=1,2,3,4,x',
    'from=4',
    'from=-1',
    'pin=landscape-in-dem',
    'pin=landscape-in-dem:5',
  ];
  for (const part of broken) assert.deepEqual(read(part), { ...usual, misread: [part] });
});

test('a parameter that gets its default back leaves the run as it was', () => {
  const changed = withParam(usual, threshold, 5);
  assert.deepEqual([valueIn(changed, threshold), valueIn(usual, threshold)], [5, 4]);
  assert.deepEqual(withParam(changed, threshold, 4), usual);
  assert.deepEqual(withParam(withParam(usual, order, [2, 1, 3, 4, 5]), order, [1, 2, 3, 4, 5]), usual);
});

test('a pin is set, replaced and taken away', () => {
  const pinned = withPin(withPin(usual, 'landscape-in-dem', one), 'landscape-in-dem', other);
  assert.deepEqual(pinned.overrides, { 'landscape-in-dem': other });
  assert.deepEqual(withPin(pinned, 'landscape-in-dem', undefined), usual);
});

test('a member of a list moves by one place, and not beyond its ends', () => {
  assert.deepEqual(moved([1, 2, 3], 1, -1), [2, 1, 3]);
  assert.deepEqual(moved([1, 2, 3], 1, 1), [1, 3, 2]);
  assert.deepEqual(moved([1, 2, 3], 0, -1), [1, 2, 3]);
  assert.deepEqual(moved([1, 2, 3], 2, 1), [1, 2, 3]);
});

test('the link to a run like another one leads to its settings', () => {
  const settings = {
    params: {
      window_size: 2048,
      tie_priority: [3, 1, 2, 4, 5],
      v1_min_s_e12: 3,
      v1_min_s_e3: 5,
      v2_min_s_e3: 3,
      v2_min_s_e4: 5,
    },
    overrides: { 'landscape-in-dem': one, 'landscape-in-ndvi': other },
    from_stage: 0,
  };
  const { misread, ...read } = readRequest(parseAddress(settingsHref(settings, { params })).query, params);
  assert.deepEqual(misread, []);
  assert.deepEqual(read, { ...settings, params: { v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5] } });
});
