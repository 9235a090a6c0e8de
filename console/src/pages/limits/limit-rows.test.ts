import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belowBest, firstChanged, limitedBy } from './limit-rows.ts';

const moisture = (alone: number, others: number) =>
  ({ factor: 'moisture', alone_ha: alone, with_others_ha: others }) as const;
const slope = (alone: number, others: number) =>
  ({ factor: 'topography', alone_ha: alone, with_others_ha: others }) as const;
const of = (
  rating: number,
  ha: number,
  relieved: number | null,
  ...limits: readonly ReturnType<typeof moisture | typeof slope>[]
) => ({
  class: rating,
  ha,
  relieved_ha: relieved,
  limits,
  subclasses: [],
});
const land = {
  classes: [
    of(5, 10, 60),
    of(4, 40, 20, moisture(40, 0)),
    of(3, 0, 0),
    of(2, 30, 0, moisture(0, 30), slope(0, 30)),
    of(1, 20, 20, slope(20, 0)),
  ],
};

test('what limits most comes first, with what it limits alone', () => {
  assert.deepEqual(limitedBy(land), [
    { factor: 'moisture', ha: 70, alone_ha: 40 },
    { factor: 'topography', ha: 50, alone_ha: 20 },
  ]);
  assert.deepEqual(limitedBy({ classes: [of(5, 10, null), of(4, 0, null, slope(0, 0))] }), []);
});

test('shares are of the land below the best class, and relief is told by the best class that it changes', () => {
  assert.equal(belowBest(land), 90);
  assert.equal(firstChanged(land)?.class, 5);
  assert.equal(firstChanged({ classes: [of(1, 4, 2), of(2, 5, 7), of(5, 0, 0)] })?.class, 2);
  assert.equal(firstChanged({ classes: [of(4, 7, null), of(3, 2, 2)] }), undefined);
});
