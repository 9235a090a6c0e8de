import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createValueSurvey } from './class-likeness.ts';

const side = 200;

function areClasses(valueAt: (x: number, y: number) => number, noData?: number): boolean {
  const survey = createValueSurvey(noData);
  for (let y = 0; y < side; y += 1) survey.look(Int32Array.from({ length: side }, (_, x) => valueAt(x, y)));
  return survey.areClasses();
}

const rolling = (x: number, y: number): number => Math.round(300 + 70 * Math.sin(x / 30) * Math.cos(y / 25));

test('few values are classes, whatever they are', () => {
  assert.equal(
    areClasses((x, y) => (x + y) % 64),
    true,
  );
  assert.equal(
    areClasses(() => 0),
    true,
  );
});

test('patches of many classes are classes, whatever their numbers', () => {
  assert.equal(
    areClasses((x, y) => Math.floor(x / 16) * 13 + Math.floor(y / 16)),
    true,
  );
  assert.equal(
    areClasses((x, y) => ((x >> 2) * 7919 + (y >> 2) * 104_729) % 211),
    true,
  );
});

test('the heights of a plain are none, though they are few', () => {
  assert.equal(areClasses(rolling), false);
  assert.equal(
    areClasses((x, y) => (x % 20 < 5 ? -32_768 : rolling(x, y)), -32_768),
    false,
  );
});

test('more values than any legend has are none', () => {
  assert.equal(
    areClasses((x, y) => ((x >> 3) * side + (y >> 3)) * 7),
    false,
  );
});
