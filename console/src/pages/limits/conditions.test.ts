import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConditions, writeConditions } from './conditions.ts';

test('conditions are read as they are written, whatever is between them', () => {
  const text = '01<5;soil-salinity>=0.5;23!=4';
  const read = readConditions(text);
  assert.deepEqual(read, [
    { band: '01', comparison: '<', value: '5' },
    { band: 'soil-salinity', comparison: '>=', value: '0.5' },
    { band: '23', comparison: '!=', value: '4' },
  ]);
  assert.equal(writeConditions(read), text);
  assert.deepEqual(readConditions(' 01 <= 5 ; nonsense; <4;;'), [
    { band: '01', comparison: '<=', value: '5' },
  ]);
  assert.equal(readConditions(Array.from({ length: 12 }, () => '01<5').join(';')).length, 8);
});

test('numbers are taken as people write them, and a missing one leaves nothing to ask', () => {
  const slope = { band: '01', comparison: '<' } as const;
  assert.equal(writeConditions([{ ...slope, value: '−2,50' }]), '01<-2.5');
  for (const value of ['', ' ', 'much', '1e3', '5%'])
    assert.equal(writeConditions([{ ...slope, value }]), undefined);
  assert.equal(writeConditions([]), undefined);
});
