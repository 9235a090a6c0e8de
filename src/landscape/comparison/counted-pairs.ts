import type { CountedPairs, CountedPart } from './matrix.ts';
import { toHectares } from '../../lib/units.ts';
import type { AreaLevels } from '../../areas/areas-schema.ts';
import { wholeLevel } from '../../areas/by-unit.ts';

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

/** Takes the units of a level, or of both, from what was counted. */
export function pairsOf({ tuples, raster, units, sets }: AreasOfPairs, by: AreaLevels): CountedPairs {
  const level = wholeLevel(units, by);
  const outside = sets.find(({ set }) => set === level)?.outside ?? raster;
  return {
    pairs: tuples.map(([a = null, b = null]) => ({ a, b })),
    whole: partOf(raster),
    units: units
      .filter(({ set }) => by === 'all' || set === by)
      .map(({ id, set, area_m2: area, areas, outside_m2: beside }) => ({
        id,
        level: set === 'region' ? ('region' as const) : ('district' as const),
        areaHa: toHectares(area),
        outsideHa: toHectares(beside),
        ...partOf(areas),
      })),
    rest: partOf(outside),
  };
}

const partOf = (areas: TupleAreas): CountedPart => ({
  areas: areas.map(([pair, area]) => [pair, toHectares(area)]),
});
