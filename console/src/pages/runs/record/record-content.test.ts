import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf, type RecordContent, withChanges } from './record-content.ts';

const opened: RecordContent = { name: 'A', note: 'two\nlines', state: 'draft', basis: null };

function fields(changes: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const asShown = { name: 'A', note: 'two\r\nlines', state: 'draft', basis: '' };
  return new Map(Object.entries({ ...asShown, ...changes }));
}

test('fields that are as they were leave what others have stored meanwhile', () => {
  const stored: RecordContent = { name: 'B', note: 'theirs', state: 'proposed', basis: 'No. 1' };
  assert.deepEqual(withChanges(stored, opened, fields()), stored);
  assert.deepEqual(withChanges(stored, opened, fields({ name: 'C', state: 'adopted' })), {
    ...stored,
    name: 'C',
    state: 'adopted',
  });
});

test('a text that is emptied becomes null', () => {
  assert.deepEqual(withChanges(opened, opened, fields({ name: ' ', note: '' })), {
    ...opened,
    name: null,
    note: null,
  });
});

test('parts that differ are named', () => {
  assert.deepEqual(differencesOf(opened, { ...opened, basis: 'No. 1', state: 'adopted' }), [
    'basis',
    'state',
  ]);
  assert.deepEqual(differencesOf(opened, opened), []);
});
