import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDocument } from './document.ts';

function drawn(title: string): string {
  const document = openDocument(title);
  document.begin(100, 100).fillRect(10, 10, 20, 20);
  document.end();
  return Buffer.from(document.close()).toString('latin1');
}

test('equal pages have equal bytes, and others have other identifiers', () => {
  // Often enough to produce each kind of string in the trailer.
  const [first = '', ...others] = new Set(Array.from({ length: 300 }, () => drawn('A sheet')));
  assert.equal(others.length, 0);
  const identifiersOf = (pdf: string) => pdf.match(/(?<=uuid:)[0-9a-f-]{36}|<[0-9a-f]{32}>/g) ?? [];
  const found = identifiersOf(first);
  assert.equal(found.length, 4);
  assert.ok(identifiersOf(drawn('A sheep')).every((each) => !found.includes(each)));
});
