import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRegistersState } from './registers-address.ts';

test('the address of a comparison keeps what was asked, and ignores what is no such thing', () => {
  const query = new URLSearchParams(
    'a_date=2024-01-01&a_factor=1000&b_class=10,20&by=okrug&unit=111000000&b_date=x&b_factor=1e3&kato=1',
  );
  assert.deepEqual(readRegistersState(query), {
    asked: { a_date: '2024-01-01', a_factor: '1000', b_class: '10,20', by: 'okrug' },
    unit: '111000000',
  });
});
