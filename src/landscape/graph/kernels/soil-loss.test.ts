import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateNode } from '../../../../test/support/landscape/graph.ts';
import { soilLoss } from './soil-loss.ts';

/** Loss on bare loam; by default with little organic matter and 300 mm of rain. */
function lossAt(slope: number, { rain = 300, carbon = 5 } = {}): number {
  const pixels = new Map<string, Float32Array | Uint8Array>([
    ['precipitation', Float32Array.of(rain)],
    ['soil-texture', Uint8Array.of(7)],
    ['soil-organic-carbon', Float32Array.of(carbon)],
    ['ndvi', Float32Array.of(0)],
    ['01', Float32Array.of(slope)],
  ]);
  return evaluateNode(soilLoss, pixels)[0] ?? NaN;
}

const erosivity = 0.0483 * 300 ** 1.61;
const erodibility = 0.1317 * 0.34;
const sineOf = (percent: number) => Math.sin(Math.atan(percent / 100));

test('each length exponent holds from its slope up to the next', () => {
  const gentle = (slope: number, exponent: number) =>
    erosivity * erodibility * (122 / 22.13) ** exponent * (10.8 * sineOf(slope) + 0.03);
  assertNear(lossAt(0), gentle(0, 0.2));
  assertNear(lossAt(1), gentle(1, 0.3));
  assertNear(lossAt(3.5), gentle(3.5, 0.4));
  assertNear(lossAt(5), gentle(5, 0.5));
  assertNear(lossAt(8.99), gentle(8.99, 0.5));
});

test('from 9 % up slopes are steep', () => {
  const beta = sineOf(9) / 0.0896 / (3 * sineOf(9) ** 0.8 + 0.56);
  const steep = (122 / 22.13) ** (beta / (1 + beta)) * (16.8 * sineOf(9) - 0.5);
  assertNear(lossAt(9), erosivity * erodibility * steep);
});

test('from 850 mm up rain erodes by the second equation', () => {
  const wet = 587.8 - 1.219 * 850 + 0.004105 * 850 ** 2;
  assertNear(lossAt(0, { rain: 850 }) / lossAt(0), wet / erosivity);
});

test('from 2 % of organic matter up soil is less erodible', () => {
  const carbonOf2Percent = 20 / 1.724;
  assertNear(lossAt(0, { carbon: carbonOf2Percent + 0.001 }) / lossAt(0), 0.26 / 0.34);
  assertNear(lossAt(0, { carbon: carbonOf2Percent - 0.001 }) / lossAt(0), 1);
});

function assertNear(found: number, wanted: number): void {
  assert.ok(Math.abs(found - wanted) <= 1e-6 * wanted, `${found} is not ${wanted}`);
}
