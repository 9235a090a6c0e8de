import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listed, quoted, readable, readablePath } from './readable.ts';

test('ordinary text of any script stays as it is', () => {
  for (const text of ['', 'Карта ҚР', '地図', 'a\u200db', '😀']) assert.equal(readable(text, 100), text);
});

test('what could disturb a line becomes blanks, half a pair a replacement character', () => {
  assert.equal(readable('a\u0000b\u001b[2Jc\r\nd\u0085e', 100), 'a b [2Jc  d e');
  assert.equal(readable('x\u202egpj\u2066y\u2028z', 100), 'x gpj y z');
  assert.equal(readable('\ud800a', 100), '\ufffda');
});

test('longer text is cut, also where that halves a pair', () => {
  assert.equal(readable('abcdef', 3), 'abc…');
  assert.equal(readable('ab😀', 3), 'ab\ufffd…');
});

test('a name is quoted so that it cannot end its quotes', () => {
  assert.equal(quoted('Карта'), '"Карта"');
  assert.equal(quoted(' a" and all "b\n'), '"a  and all  b"');
  assert.equal(quoted('x'.repeat(61)), `"${'x'.repeat(60)}…"`);
});

test('of a long path the end is shown', () => {
  assert.equal(readablePath('a/b\u0000.shp'), 'a/b .shp');
  assert.equal(readablePath(`${'d'.repeat(200)}/b.shp`), `…${'d'.repeat(114)}/b.shp`);
});

test('of many names the first five are listed', () => {
  assert.equal(listed([]), '');
  assert.equal(listed(['a', 'b']), 'a, b');
  assert.equal(listed([...'abcdefg']), 'a, b, c, d, e and 2 more');
});
