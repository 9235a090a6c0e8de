import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseVerbatim, stringifyVerbatim, findJsonFlaw, isDeeperThan } from './verbatim-json.ts';
import { MiB } from '../lib/units.ts';

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

test('depth is that of the brackets that are open at once', () => {
  assert.equal(isDeeperThan('[[],[],{"a":[]}]', 3), false);
  assert.equal(isDeeperThan('[[],[],{"a":[]}]', 2), true);
});

test('brackets in strings do not count, whatever is escaped', () => {
  assert.equal(isDeeperThan(String.raw`["[[[\"[[[\\", "[\\\"["]`, 1), false);
  assert.equal(isDeeperThan(String.raw`["\\", [1]]`, 1), true);
});

test('a text of 16 MiB takes one step for each character, whether its strings end or not', () => {
  for (const text of [
    `{"a":"${'x'.repeat(16 * MiB)}"}`,
    `"${'\\"'.repeat(8 * MiB)}`,
    `{"a":"${'\\"'.repeat(8 * MiB)}"}`,
    '"'.repeat(16 * MiB),
  ]) {
    assert.equal(isDeeperThan(text, 64), false);
  }
  assert.equal(isDeeperThan('['.repeat(16 * MiB), 64), true);
});

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const flaws = [
  ['{"a":"[[[\\"[[["}', undefined],
  ['{"a":"\\\\"}', undefined],
  [nested(64), undefined],
  [nested(65), 'depth'],
  [`{"a":${nested(100_000)},"a":1}`, 'depth'],
  ['{"a":}', 'syntax'],
  ['', 'syntax'],
  ['{"a":"\\u0000"}', 'text'],
  ['{"\\u0000":1}', 'text'],
  ['{"a":"\\u0000","a":1}', 'text'],
  ['{"a":"\\ud800"}', 'text'],
  ['{"a":"\ud800"}', 'text'],
  ['{"a":"\\ud83d\\ude00"}', undefined],
  ['{"a":"\\\\u0000"}', undefined],
  ['{"a":"\\ude00\\ud83d"}', 'text'],
  ['{"a":"\\ud83d\\\\ude00"}', 'text'],
] as const;
for (const [text, flaw] of flaws) {
  test(`${JSON.stringify(text.slice(0, 30))} of ${text.length} characters: ${flaw ?? 'fit to keep'}`, () => {
    assert.equal(findJsonFlaw(text, 64), flaw);
  });
}
