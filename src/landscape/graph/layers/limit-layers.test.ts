import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gridOf, nodeOf } from '../../../../test/support/landscape/graph.ts';
import { createTileEvaluator, type Pixels } from '../../compute/evaluate-tile.ts';
import type { Band } from '../../model/bands.ts';
import type { GraphNode } from '../../model/node.ts';
import { LandscapeParams } from '../../model/params.ts';
import { rate } from '../../model/rating.ts';
import { type Limitation, limitationsOf, sectorNodes } from '../kernels/limitations.ts';
import { limitLayer } from './limit-layers.ts';
import { firstState, limitStates, noLimitState, notAllocableState, relievedClass } from './limit-states.ts';

const side = 120;
const tile = { x: 0, y: 0, width: side, height: side };
const grid = gridOf({ crs: 'projected', left: 0, top: 0, res: [30, 30], rows: side, cols: side });
const params = LandscapeParams.parse({});
const flat = { values: new Float32Array(side * side), window: tile };

/** Numbers at, just under and between the breaks of a table, or classes of a lookup, and sometimes no data. */
function drawn({ band, table }: Limitation['sources'][number], random: () => number): Pixels {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)];
  if (table instanceof Float64Array) {
    const classes = band.type === 'uint8' ? [0, ...band.classes] : [];
    const best = classes.filter((class_) => table[class_] === 5);
    return Uint8Array.from({ length: side * side }, () => pick(random() < 0.5 ? best : classes) ?? 0);
  }
  const numbers = [0, ...table.breaks].flatMap((each) => [each, each - 0.001, each + 0.4]);
  const best = numbers.filter((number) => rate(table, number) === 5);
  const others = [...numbers, -9999];
  return Float32Array.from({ length: side * side }, () => pick(random() < 0.5 ? best : others) ?? 0);
}

function drawBands(node: GraphNode): Map<string, Pixels> {
  let state = Number(node.code);
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const sources = limitationsOf(node).flatMap((limitation) => limitation.sources);
  const pixels = new Map(sources.map((source) => [source.band.key, drawn(source, random)]));
  const land = pixels.get('land-cover');
  assert.ok(land instanceof Uint8Array);
  return pixels.set('05', allocableOf(land));
}

function allocableOf(landCover: Uint8Array): Uint8Array {
  return evaluate(nodeOf('05'), new Map([['land-cover', landCover]]));
}

function evaluate(node: GraphNode, pixels: ReadonlyMap<string, Pixels>): Uint8Array {
  const evaluator = createTileEvaluator({ nodes: [node], grid, params });
  const output = evaluator.evaluate(tile, { pixels, elevation: flat }).get(node.code);
  assert.ok(output instanceof Uint8Array);
  return output.slice();
}

function statesOf(node: GraphNode, pixels: ReadonlyMap<string, Pixels>): Uint16Array {
  const output = new Uint16Array(side * side);
  const of = (band: Band) => pixels.get(band.key);
  const floats = (band: Band) => {
    const found = of(band);
    assert.ok(found instanceof Float32Array);
    return found;
  };
  const classes = (band: Band) => {
    const found = of(band);
    assert.ok(found instanceof Uint8Array);
    return found;
  };
  limitLayer(node).evaluate({ floats, classes }, output);
  return output;
}

/** Returns the same pixels with the best rating of one factor wherever it has a rating. */
function relieved(pixels: ReadonlyMap<string, Pixels>, { sources }: Limitation): Map<string, Pixels> {
  const changed = new Map(pixels);
  for (const { band, table } of sources) {
    const before = pixels.get(band.key);
    if (table instanceof Float64Array) {
      const best = table.indexOf(5);
      // Other classes have no rating, before and after the change.
      changed.set(
        band.key,
        Uint8Array.from(before ?? [], (class_) => (table[class_] === 0 ? class_ : best)),
      );
    } else {
      const values = [-1, ...table.breaks].find((value) => rate(table, value) === 5) ?? NaN;
      changed.set(
        band.key,
        Float32Array.from(before ?? [], (number) => (number === -9999 ? number : values)),
      );
    }
  }
  return changed;
}

for (const node of sectorNodes) {
  describe(`the layer of limits of node ${node.code}`, () => {
    const limitations = limitationsOf(node);
    const pixels = drawBands(node);
    const states = limitStates(limitations.length);
    const found = statesOf(node, pixels);
    const suitability = evaluate(node, pixels);
    const land = pixels.get('05');

    test('has the class of the node in each pixel', () => {
      const classes = found.map((state) => states[state - firstState]?.class ?? 0);
      assert.deepEqual(Uint8Array.from(classes), suitability);
      for (const [i, state] of found.entries())
        assert.equal(state === notAllocableState, (land?.[i] ?? 0) > 1, `pixel ${i}`);
      for (const wanted of [0, 1, 2, 3, 4, 5]) assert.ok(suitability.includes(wanted), `class ${wanted}`);
    });

    test('names exactly the factors whose rating is the class', () => {
      for (const [factor, { sources, name }] of limitations.entries()) {
        for (const [i, state] of found.entries()) {
          const { class: least = 0, mask = 0 } = states[state - firstState] ?? {};
          if (state <= notAllocableState) continue;
          const ratings = sources.map(({ band, table }) => {
            const value = pixels.get(band.key)?.[i] ?? NaN;
            return table instanceof Float64Array ? (table[value] ?? 0) : rate(table, value);
          });
          assert.equal((mask & (1 << factor)) !== 0, Math.max(...ratings) === least, `${name} in pixel ${i}`);
        }
      }
    });

    for (const [factor, limitation] of limitations.entries()) {
      test(`has the class of the node with ${limitation.name} relieved`, () => {
        const changed = evaluate(node, relieved(pixels, limitation));
        const classes = found.map((state) => {
          const its = states[state - firstState];
          return its === undefined ? noLimitState : relievedClass(its, factor);
        });
        assert.deepEqual(Uint8Array.from(classes), changed);
      });
    }
  });
}

test('states of a layer keep their numbers: layers of earlier releases are read by them', () => {
  assert.deepEqual(
    sectorNodes.map((node) =>
      limitationsOf(node)
        .map(({ letter }) => letter)
        .join(''),
    ),
    ['tmcsnwv', 'tmhv', 'tmcsonv', 'twvg', 'vra'],
  );
  const states = limitStates(3);
  assert.deepEqual(states.slice(0, 4), [
    { class: 5, mask: 7, next: 0 },
    { class: 4, mask: 1, next: 5 },
    { class: 4, mask: 2, next: 5 },
    { class: 4, mask: 3, next: 0 },
  ]);
  assert.deepEqual([states.length, limitStates(7).length], [1 + 4 * 4 + 3 * 10, 551]);
});
