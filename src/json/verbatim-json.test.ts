import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseVerbatim, stringifyVerbatim } from './verbatim-json.ts';

test('an object is written as it was sent: digits, order of keys, keys sent twice, blanks', () => {
  const text =
    '{ "b": 1e400, "1": 12345678901234567890, "a": -0, "a": 0.1000000000000000055, "__proto__": {"x": 1} }';
  assert.notEqual(JSON.stringify(JSON.parse(text)), text);
  const whole = { before: [1], meta: parseVerbatim(text), after: 'x' };
  assert.equal(stringifyVerbatim(whole), `{"before":[1],"meta":${text},"after":"x"}`);
});

test('several verbatim objects keep their places', () => {
  const list = ['{"n":1.0}', '{"n":2.0}', '{"n":3.0}'].map(parseVerbatim);
  assert.equal(stringifyVerbatim({ list }), '{"list":[{"n":1.0},{"n":2.0},{"n":3.0}]}');
});

test('replacement patterns in a text are text', () => {
  const text = String.raw`{"a":"$& $1 $' $$"}`;
  assert.equal(stringifyVerbatim([parseVerbatim(text)]), `[${text}]`);
});

test('what is not verbatim is written as JSON.stringify does', () => {
  const value = { a: undefined, b: new Date(0), c: [undefined, null, Number.NaN], d: { e: 'ё' } };
  assert.equal(stringifyVerbatim(value), JSON.stringify(value));
});

test('a parsed object has the values of its text', () => {
  assert.deepEqual(parseVerbatim('{"a":[1,{"b":null}]}'), { a: [1, { b: null }] });
});
