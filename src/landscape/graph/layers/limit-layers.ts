import { classNoData, type TileBands } from '../../model/bands.ts';
import type { Layer } from '../../model/layer.ts';
import type { GraphNode } from '../../model/node.ts';
import { allocable, allocableLand } from '../kernels/land.ts';
import { type Limitation, limitationsOf, sectorNodes } from '../kernels/limitations.ts';
import { lowerToRatings } from '../kernels/suitability.ts';
import { notAllocableState, noLimitState, stateNumbers } from './limit-states.ts';

type RatedBands = Omit<TileBands, 'elevation'>;

const best = 5;

/** Returns the name of the layer of limits of a sector. */
export function limitLayerName(sector: string): string {
  return `limits-${sector}`;
}

/** One layer per sector, with the number of the state of each pixel, as in `limitStates`. */
export const limitLayers: readonly Layer[] = sectorNodes.map((node) => limitLayer(node));

/** Rates each factor by the table of the sector's own kernel. */
export function limitLayer(node: GraphNode, limitations = limitationsOf(node)): Layer {
  const { numbers, indexOf } = stateNumbers(limitations.length);
  const rooms = Math.max(...limitations.map(({ sources }) => sources.length));
  let room: readonly Uint8Array[] = [];
  return {
    name: limitLayerName(node.code),
    dataType: 'UInt16',
    noData: noLimitState,
    inputs: node.inputs,
    evaluate(bands, output) {
      const { length } = output;
      if ((room[0]?.length ?? 0) < length)
        room = Array.from({ length: 3 + rooms }, () => new Uint8Array(length));
      const [least, masks, nexts, ...others] = room.map((each) => each.subarray(0, length));
      if (least === undefined || masks === undefined || nexts === undefined)
        throw new Error('there is no room for a tile');
      least.fill(best + 1);
      masks.fill(0);
      nexts.fill(best);
      for (const [factor, limitation] of limitations.entries())
        addFactor({ least, masks, nexts }, rateTile(limitation, bands, others), 1 << factor);
      const land = bands.classes(allocable.output);
      for (let i = 0; i < length; i += 1) {
        const class_ = land[i] ?? classNoData;
        const rating = least[i] ?? classNoData;
        if (class_ > allocableLand) output[i] = notAllocableState;
        else if (class_ === classNoData || rating === classNoData) output[i] = noLimitState;
        else output[i] = numbers[indexOf(rating, masks[i] ?? 0, nexts[i] ?? 0)] ?? noLimitState;
      }
    },
  };
}

/** Rates a limitation: the greatest of its ratings; no data if one of them is missing. */
function rateTile({ sources }: Limitation, bands: RatedBands, rooms: readonly Uint8Array[]): Uint8Array {
  const [ratings] = rooms;
  if (ratings === undefined) throw new Error('there is no room for ratings');
  for (const [index, { band, table }] of sources.entries()) {
    const rated = rooms[index];
    if (rated === undefined) throw new Error('there is no room for another rating');
    rated.fill(best);
    lowerToRatings(rated, table, band.type === 'float32' ? bands.floats(band) : bands.classes(band));
    if (rated === ratings) continue;
    for (let i = 0; i < ratings.length; i += 1) {
      const [one, other] = [ratings[i] ?? 0, rated[i] ?? 0];
      ratings[i] = one === 0 || other === 0 ? 0 : Math.max(one, other);
    }
  }
  return ratings;
}

interface States {
  readonly least: Uint8Array;
  readonly masks: Uint8Array;
  readonly nexts: Uint8Array;
}

function addFactor({ least, masks, nexts }: States, ratings: Uint8Array, bit: number): void {
  for (let i = 0; i < ratings.length; i += 1) {
    const rating = ratings[i] ?? 0;
    const lowest = least[i] ?? 0;
    if (rating < lowest) {
      // Before the first factor, there was no least rating.
      if (lowest <= best) nexts[i] = lowest;
      least[i] = rating;
      masks[i] = bit;
    } else if (rating === lowest) masks[i] = (masks[i] ?? 0) | bit;
    else if (rating < (nexts[i] ?? 0)) nexts[i] = rating;
  }
}
