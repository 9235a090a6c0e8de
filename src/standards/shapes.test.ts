import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boxesOf, parseBbox } from './boxes.ts';
import { BudgetSpent, intersects } from './intersect.ts';
import { readShape, type Shape, shapeOfBbox } from './shapes.ts';

describe('a bbox', () => {
  test('is four numbers, or six with heights', () => {
    assert.deepEqual(parseBbox('60,-1.5,7e1,+45'), [60, -1.5, 70, 45]);
    assert.deepEqual(parseBbox('60,40,-5,70,45,9'), [60, 40, -5, 70, 45, 9]);
  });

  test('of anything else is refused', () => {
    for (const text of [
      '',
      '1,2,3',
      '1,2,3,4,5',
      '1,2,3,4,5,6,7',
      'a,2,3,4',
      '1, 2,3,4',
      '0x1,2,3,4',
      'NaN,2,3,4',
      '1,5,3,4',
      '1,2,9,3,4,8',
      '1,2,3,1e999',
      '[1,2,3,4]',
    ])
      assert.equal(parseBbox(text), undefined, text);
  });

  test('is one box, or two across 180°', () => {
    assert.deepEqual(boxesOf([60, 40, 70, 45]), [[60, 40, 70, 45]]);
    assert.deepEqual(boxesOf([60, 40, -5, 70, 45, 9]), [[60, 40, 70, 45]]);
    const across = [
      [170, 40, 180, 45],
      [-180, 40, -170, 45],
    ];
    for (const bbox of [
      [170, 40, -170, 45],
      [170, 40, 190, 45],
      [-190, 40, -170, 45],
      [530, 40, 550, 45],
    ])
      assert.deepEqual(boxesOf(bbox), across);
    assert.deepEqual(boxesOf([-540, -90, 540, 90]), [[-180, -90, 180, 90]]);
    assert.deepEqual(boxesOf([180, 0, -180, 1]), [[180, 0, 180, 1]]);
  });
});

const shapeOf = (type: string, coordinates: unknown): Shape =>
  readShape({ type, coordinates }) ?? assert.fail(`${type} was not read`);
const square = shapeOfBbox([0, 0, 10, 10]) ?? assert.fail();
const ring = shapeOf('Polygon', [
  [
    [0, 0],
    [9, 0],
    [9, 9],
    [0, 9],
    [0, 0],
  ],
  [
    [2, 2],
    [7, 2],
    [7, 7],
    [2, 7],
    [2, 2],
  ],
]);

describe('two shapes', () => {
  const pairs: readonly (readonly [string, Shape, Shape, boolean])[] = [
    ['a point inside', square, shapeOf('Point', [5, 5]), true],
    ['a point on the border', square, shapeOf('Point', [10, 5]), true],
    ['a point outside', square, shapeOf('Point', [11, 5]), false],
    ['a point in the hole', ring, shapeOf('Point', [5, 5]), false],
    ['a box in the hole', ring, shapeOfBbox([3, 3, 6, 6]) ?? square, false],
    ['a box over the border of the hole', ring, shapeOfBbox([3, 3, 8, 6]) ?? square, true],
    ['a box around', ring, shapeOfBbox([-5, -5, 20, 20]) ?? square, true],
    [
      'a line through',
      square,
      shapeOf('LineString', [
        [-5, 5],
        [15, 6],
      ]),
      true,
    ],
    [
      'a line past a corner',
      square,
      shapeOf('LineString', [
        [9, -5],
        [15, 3],
      ]),
      false,
    ],
    [
      'lines that cross',
      shapeOf('LineString', [
        [0, 0],
        [2, 2],
      ]),
      shapeOf('LineString', [
        [0, 2],
        [2, 0],
      ]),
      true,
    ],
    [
      'lines side by side',
      shapeOf('LineString', [
        [0, 0],
        [2, 2],
      ]),
      shapeOf('LineString', [
        [0, 1],
        [1, 2],
      ]),
      false,
    ],
    [
      'the same point',
      shapeOf('Point', [1, 1]),
      shapeOf('MultiPoint', [
        [3, 3],
        [1, 1],
      ]),
      true,
    ],
  ];
  for (const [name, one, other, expected] of pairs)
    test(`${name}: ${expected}`, () => {
      assert.equal(intersects(one, other, { steps: 1000 }), expected);
      assert.equal(intersects(other, one, { steps: 1000 }), expected);
    });

  test('are compared in no more steps than the budget has', () => {
    const comb = shapeOf(
      'LineString',
      Array.from({ length: 900 }, (_, at) => [at / 100, 1 + (at % 2)]),
    );
    const rails = shapeOf('MultiLineString', [
      [
        [0, 5],
        [9, 5],
      ],
      [
        [0, 0],
        [9, 0],
      ],
    ]);
    assert.equal(intersects(comb, rails, { steps: 5000 }), false);
    assert.throws(() => intersects(comb, rails, { steps: 100 }), BudgetSpent);
  });
});

test('geometries that are none, too large or nested too deep are refused', () => {
  const nested = (levels: number): object =>
    levels === 0
      ? { type: 'Point', coordinates: [1, 2] }
      : { type: 'GeometryCollection', geometries: [nested(levels - 1)] };
  assert.deepEqual(readShape(nested(4))?.points, [[1, 2]]);
  for (const geometry of [
    nested(5),
    null,
    7,
    {},
    { type: 'Point' },
    { type: 'Point', coordinates: [1] },
    { type: 'Point', coordinates: [1, Number.NaN] },
    { type: 'LineString', coordinates: [[1, 2]] },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [0, 1],
          [0, 0.5],
        ],
      ],
    },
    { type: 'Polygon', coordinates: [] },
    { type: 'MultiPoint', coordinates: [] },
    { type: 'Curve', coordinates: [1, 2] },
    { type: 'GeometryCollection', geometries: [] },
    { type: 'LineString', coordinates: Array.from({ length: 1001 }, () => [0, 0]) },
  ])
    assert.equal(readShape(geometry), undefined, JSON.stringify(geometry).slice(0, 80));
});
