import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createValueSurvey } from './class-likeness.ts';

const side = 200;
const rolling = (x: number, y: number): number => Math.round(300 + 70 * Math.sin(x / 30) * Math.cos(y / 25));
type Raster = (x: number, y: number) => number;

for (const [name, expected, valueAt, noData] of [
  ['few values are classes, whatever they are', true, (x, y) => (x + y) % 64],
  ['one value is a class', true, () => 0],
  ['patches of many classes', true, (x, y) => Math.floor(x / 16) * 13 + Math.floor(y / 16)],
  ['patches of any numbers', true, (x, y) => ((x >> 2) * 7919 + (y >> 2) * 104_729) % 211],
  ['the heights of a plain are none, though they are few', false, rolling],
  ['nodata is no value', false, (x, y) => (x % 20 < 5 ? -32_768 : rolling(x, y)), -32_768],
  ['more values than any legend has are none', false, (x, y) => ((x >> 3) * side + (y >> 3)) * 7],
] satisfies readonly (readonly [string, boolean, Raster, number?])[]) {
  test(`classes: ${name}`, () => {
    const survey = createValueSurvey(noData);
    for (let y = 0; y < side; y += 1) survey.look(Int32Array.from({ length: side }, (_, x) => valueAt(x, y)));
    assert.equal(survey.areClasses(), expected);
  });
}
