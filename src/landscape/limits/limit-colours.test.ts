import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cssOf } from '../../../common/maps/style/colour-map.ts';
import type { CompiledStyle } from '../../../common/maps/style/compiled-style.ts';
import { limitationsOf, sectorNodes } from '../graph/kernels/limitations.ts';
import { firstState, limitStates, notAllocableState } from '../graph/layers/limit-states.ts';
import { meetsConditions } from '../graph/layers/where-layer.ts';
import { limitLegend, limitStyle, whereStyle } from './limit-colours.ts';

/** Colours by value. */
function coloursOf(style: string): ReadonlyMap<number | null, string> {
  const { raster }: CompiledStyle = JSON.parse(style);
  return new Map(raster?.colours?.stops.map(([value, colour]) => [value, colour]));
}

for (const node of sectorNodes) {
  test(`tiles of what limits ${node.code} have the colours of the legend`, () => {
    const limitations = limitationsOf(node);
    const model = limitLegend(node, 'en');
    assert.ok(model.kind === 'classes');
    const legend = model.entries.map(({ colour }) => cssOf(colour));
    assert.equal(new Set(legend).size, limitations.length + 3, 'each colour means one thing');
    const [several, none, notAllocable] = legend.slice(-3);
    const found = coloursOf(limitStyle(node));
    const states = limitStates(limitations.length);
    assert.equal(found.size, states.length + 1);
    assert.equal(found.get(notAllocableState), notAllocable);
    for (const [index, { class: rating, mask }] of states.entries()) {
      const limiting = [...limitations.keys()].filter((factor) => (mask & (1 << factor)) !== 0);
      const [alone = 0] = limiting;
      const expected = rating === 5 ? none : limiting.length > 1 ? several : legend[alone];
      assert.equal(found.get(firstState + index), expected, `class ${rating}, factors ${limiting.join()}`);
    }
  });
}

test('tiles of places that meet conditions draw these alone', () => {
  assert.deepEqual([...coloursOf(whereStyle).keys()], [meetsConditions]);
});
