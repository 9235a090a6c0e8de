import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { valueQuantiles } from '../../engine.ts';
import { distributionOf } from './distribution.ts';
import { createValueStore } from './value-store.ts';

const folder = await temporaryFolder();

/** Reproducible numbers without a pattern. */
function* numbers(count: number, seed = 7): Generator<number> {
  let state = seed;
  for (let i = 0; i < count; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

/** Reimplements the class WeightedQuantiles of exactextract. */
function quantilesOf(weights: ReadonlyMap<number, number>): number[] {
  const elements = [...weights].toSorted(([one], [other]) => one - other);
  const total = elements.reduce((sum, [, weight]) => sum + weight, 0);
  let before = 0;
  const places = elements.map(([, weight], i) => {
    const place = i === 0 ? 0 : i * weight + (elements.length - 1) * before;
    before += weight;
    return place;
  });
  return valueQuantiles.map((share) => {
    const wanted = share * total * (elements.length - 1);
    const right = places.findIndex((place) => place > wanted);
    const left = right === -1 ? elements.length - 1 : right - 1;
    const [x0 = NaN, s0 = NaN] = [elements[left]?.[0], places[left]];
    const [x1 = NaN, s1 = NaN] = [elements[right]?.[0], places[right]];
    return right === -1 ? x0 : x0 + ((wanted - s0) / (s1 - s0)) * (x1 - x0);
  });
}

describe('values of pixels', () => {
  for (const [name, different] of [
    ['few different values', 50],
    ['many different values', 1e9],
  ] as const)
    test(`${name} come in order, from memory and from a file`, async () => {
      const owners = 3;
      const limits = { mostOfOwner: 512, mostOfAll: 1024 };
      const store = createValueStore({ owners, unit: 2 ** -20, folder, ...limits });
      const expected = Array.from({ length: owners }, () => new Map<number, number>());
      for (const number of numbers(20_000)) {
        const [owner, value, weight] = [
          number % owners,
          (number % different) - different / 2,
          (number % 97) / 64,
        ];
        store.add(owner, value, weight);
        const own = expected[owner] ?? assert.fail();
        if (weight > 0) own.set(value, (own.get(value) ?? 0) + weight);
      }
      for (const [owner, own] of expected.entries()) {
        const found = new Map<number, number>();
        let last = -Infinity;
        store.visit(owner, (value, weight) => {
          assert.ok(value >= last);
          last = value;
          found.set(value, (found.get(value) ?? 0) + weight);
        });
        assert.deepEqual(
          [...found],
          [...own].toSorted(([one], [other]) => one - other),
        );
        const distribution = distributionOf((visit) => store.visit(owner, visit)) ?? assert.fail();
        for (const [i, quantile] of quantilesOf(own).entries())
          assert.ok(Math.abs((distribution.quantiles[i] ?? NaN) - quantile) <= 1e-9 * different);
      }
      store.close();
      const spilled = await stat(join(folder, 'values.bin')).catch(() => undefined);
      assert.equal((spilled?.size ?? 0) > 0, different > limits.mostOfOwner);
    });

  test('without any weight are none', () => {
    const store = createValueStore({ owners: 1, unit: 1, folder });
    store.add(0, 5, 0.25);
    assert.equal(
      distributionOf((visit) => store.visit(0, visit)),
      undefined,
    );
    store.close();
  });
});
