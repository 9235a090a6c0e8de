import type { CountedPairs, CountedPart } from './matrix.ts';
import type { AreaLevels } from '../../areas/areas-schema.ts';

type TupleAreas = readonly (readonly [tuple: number, squareMetres: number])[];

/** Areas by pairs of classes of two rasters, as they are counted. */
export interface AreasOfPairs {
  readonly tuples: readonly (readonly (number | null)[])[];
  readonly raster: TupleAreas;
  readonly units: readonly {
    readonly id: string;
    readonly set: string;
    readonly area_m2: number;
    readonly areas: TupleAreas;
    readonly outside_m2: number;
  }[];
  readonly sets: readonly { readonly set: string; readonly outside: TupleAreas }[];
}

/** Takes the units of a level from what was counted; none by `all`. */
export function pairsOf({ tuples, raster, units, sets }: AreasOfPairs, by: AreaLevels): CountedPairs {
  const level = by === 'all' ? 'region' : by;
  const outside = sets.find(({ set }) => set === level)?.outside ?? [];
  return {
    pairs: tuples.map(([a = null, b = null]) => ({ a, b })),
    whole: partOf(raster),
    units: units
      .filter(({ set }) => set === by)
      .map(({ id, area_m2: area, areas, outside_m2: beside }) => ({
        id,
        area,
        outside: beside,
        ...partOf(areas),
      })),
    rest: partOf(outside),
  };
}

const partOf = (areas: TupleAreas): CountedPart => ({
  areas: areas.map(([pair, area]) => ({ pair, area })),
});
