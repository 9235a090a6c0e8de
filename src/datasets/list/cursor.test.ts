import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cursor, readCursor, writeCursor } from './cursor.ts';

const key = { created_at: new Date('2026-02-03T04:05:06.789Z'), id: '0f8fad5b-d9cb-469f-a165-70867728950e' };

test('a place in the list comes back as it was written', () => {
  for (const each of [
    key,
    { ...key, created_at: new Date(0) },
    { ...key, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  ]) {
    const text = writeCursor(each) ?? '';
    assert.deepEqual(readCursor(text), each);
    assert.equal(Cursor.safeParse(text).success, true);
  }
  assert.equal(writeCursor({ ...key, created_at: new Date(-1) }), undefined);
});

test('no other text is a place', () => {
  const text = writeCursor(key) ?? '';
  for (const wrong of [
    '',
    'x',
    text.slice(1),
    `${text}A`,
    `B${text.slice(1)}`,
    `AQE${text.slice(3)}`,
    `${text.slice(0, -1)}=`,
  ]) {
    assert.equal(Cursor.safeParse(wrong).success, false, wrong);
  }
});
