import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleOf } from '../../test/support/tier.ts';
import {
  createLayerEvaluator,
  createTileEvaluator,
  type Pixels,
} from '../../src/landscape/compute/evaluate-tile.ts';
import { layerByName } from '../../src/landscape/graph/layers/layer-by-name.ts';
import { functionalZoning, leadingSector, maxSuitability, useZone } from '../../src/landscape/graph/nodes.ts';
import type { GraphNode } from '../../src/landscape/model/node.ts';
import { LandscapeParams } from '../../src/landscape/model/params.ts';
import { type Cell, cells, lastCell, noCell, notAllocableCell, numberOfCell, sectorsOf } from './cells.ts';
import { createStabilityOf } from './stability.ts';
import { variantsOf } from './variants.ts';
import { codeOfCell, notAllocableCode, type ZoningCase, zoneOfCell, zoningCode } from './zoning.ts';

const classes = [1, 2, 3, 4, 5];
const orders = [
  [1, 2, 3, 4, 5],
  [3, 4, 1, 2, 5],
  [5, 4, 3, 2, 1],
  [2, 5, 1, 3, 4],
  [4, 1, 5, 3, 2],
];
/** Thresholds that differ in effect: V1 is tested first, so that a threshold of V2 at E = 3 above that of V1 changes nothing. */
const differentThresholds = classes.flatMap((v1_min_s_e12) =>
  classes.flatMap((v1_min_s_e3) =>
    classes.flatMap((v2_min_s_e3) =>
      v2_min_s_e3 > v1_min_s_e3
        ? []
        : classes.map((v2_min_s_e4) => ({ v1_min_s_e12, v1_min_s_e3, v2_min_s_e3, v2_min_s_e4 })),
    ),
  ),
);

/** All combinations of five suitabilities, sensitivity and land, with and without values, including contradictory ones. */
function everyPixel() {
  const rows: number[][] = [];
  const suitabilities = classes.map(() => [0, ...classes]);
  const all = suitabilities.reduce<number[][]>(
    (sets, each) => sets.flatMap((set) => each.map((value) => [...set, value])),
    [[]],
  );
  for (const [index, suited] of all.entries())
    for (const e of [0, ...classes]) rows.push([(index + e) % 11 === 0 ? (index >> 2) % 5 : 1, ...suited, e]);
  return rows;
}

const rows = everyPixel();
const keys = ['05', '21', '22', '23', '24', '25', '26'];
const layer = layerByName('cells') ?? assert.fail('there is no layer of cells');

const tile = { x: 0, y: 0, width: 216, height: rows.length / 216 };
const crs = { kind: 'geographic', degreesPerUnit: 1 } as const;
const grid = { ...tile, left: 70, top: 50, resX: 0.01, resY: 0.01, crs, wkt: '' };
const elevation = { values: new Float32Array(rows.length), window: tile };
const thresholdsOfUse = { v1_min_s_e12: 3, v1_min_s_e3: 4, v2_min_s_e3: 3, v2_min_s_e4: 5 };
const usual = { ...thresholdsOfUse, tie_priority: [1, 2, 3, 4, 5] };
const given: ReadonlyMap<string, Pixels> = new Map(
  keys.map((key, column) => [key, Uint8Array.from(rows, (row) => row[column] ?? 0)]),
);

/** Computes a node with its real kernel. */
function computed(node: GraphNode, zoning: ZoningCase, pixels: ReadonlyMap<string, Pixels>): Pixels {
  const params = LandscapeParams.parse({ ...zoning, tie_priority: [...zoning.tie_priority] });
  const evaluator = createTileEvaluator({ nodes: [node], grid, params });
  return evaluator.evaluate(tile, { pixels, elevation }).get(node.code) ?? assert.fail(node.code);
}

const withS = new Map([...given, ['31', computed(maxSuitability, usual, given)]]);
const numbers = createLayerEvaluator(layer).evaluate(tile, given);
const isZoned = (number: number) => number !== noCell && number !== notAllocableCell;

/** Finds a pixel that differs from the value of its cell. */
function wrongPixel(pixels: Pixels, ofCell: (cell: Cell) => number, ofOthers: number): string | undefined {
  const expected = [0, ...cells.map(ofCell), ofOthers];
  const at = pixels.findIndex((value, i) => value !== expected[numbers[i] ?? 0]);
  return at < 0
    ? undefined
    : `${String(rows[at])}: ${String(pixels[at])}, not ${String(expected[numbers[at] ?? 0])}`;
}

describe('cells', () => {
  it('are 775, numbered from 1, and carry S, E and sectors', () => {
    assert.equal(lastCell, 775);
    assert.equal(new Set(cells.map(numberOfCell)).size, 775);
    assert.deepEqual(
      cells.map(numberOfCell),
      [...cells.keys()].map((index) => index + 1),
    );
    assert.deepEqual(sectorsOf(0b10110), [2, 3, 5]);
  });

  it('have the code of the kernels, over different sets of thresholds and 5 orders', () => {
    assert.equal(differentThresholds.length, 375);
    const leaders = orders.map((tie_priority) => {
      const zoning = { ...usual, tie_priority };
      return { tie_priority, pixels: computed(leadingSector, zoning, given) };
    });
    assert.equal(functionalZoning.code, zoningCode);
    for (const thresholds of sampleOf(differentThresholds, 7)) {
      const zones = computed(useZone, { ...usual, ...thresholds }, withS);
      for (const { tie_priority, pixels } of leaders) {
        const zoning = { ...thresholds, tie_priority };
        const sources = new Map([...given, ['32', pixels] as const, ['33', zones] as const]);
        const codes = computed(functionalZoning, zoning, sources);
        const wrong = wrongPixel(codes, (cell) => codeOfCell(cell, zoning), notAllocableCode);
        if (wrong !== undefined) assert.fail(`${wrong} in ${JSON.stringify(zoning)}`);
      }
    }
  });

  it('have the zone of the kernel wherever there is one, and S', () => {
    for (const thresholds of differentThresholds) {
      const zoning = { ...usual, ...thresholds };
      const zones = computed(useZone, zoning, withS).map((zone, i) => (isZoned(numbers[i] ?? 0) ? zone : 0));
      assert.equal(
        wrongPixel(zones, (cell) => zoneOfCell(cell, zoning), 0),
        undefined,
      );
    }
    const s = withS.get('31')?.map((value, i) => (isZoned(numbers[i] ?? 0) ? value : 0)) ?? [];
    assert.ok(s instanceof Uint8Array);
    assert.equal(
      wrongPixel(s, (cell) => cell.s, 0),
      undefined,
    );
  });
});

describe('variants of a case', () => {
  it('move each threshold by one and swap each two neighbours; what leaves 1 to 5 is invalid', () => {
    const variants = variantsOf(usual);
    assert.deepEqual(
      variants.map((each) => (each.kind === 'order' ? each.sectors.join('↔') : `${each.param} ${each.to}`)),
      [
        'v1_min_s_e12 2',
        'v1_min_s_e12 4',
        'v1_min_s_e3 3',
        'v1_min_s_e3 5',
        'v2_min_s_e3 2',
        'v2_min_s_e3 4',
        'v2_min_s_e4 4',
        'v2_min_s_e4 6',
        '1↔2',
        '2↔3',
        '3↔4',
        '4↔5',
      ],
    );
    const invalid = variants.filter((each) => each.zoning === undefined);
    assert.deepEqual(
      invalid.map((each) => each.kind === 'threshold' && each.to),
      [6],
    );
    assert.deepEqual(variants.at(-3)?.zoning?.tie_priority, [1, 3, 2, 4, 5]);
  });

  it('tell what moves a cell: nothing, a threshold, the order, or either', () => {
    const stabilityOf = createStabilityOf(usual);
    const kinds = [
      { s: 5, e: 1, mask: 0b00001 },
      { s: 3, e: 1, mask: 0b10001 },
      { s: 5, e: 1, mask: 0b00110 },
      { s: 3, e: 2, mask: 0b00011 },
      { s: 1, e: 5, mask: 0b11111 },
      { s: 5, e: 1, mask: 0b10001 },
    ].map(stabilityOf);
    assert.deepEqual(kinds, [1, 2, 3, 4, 1, 1]);
  });
});
