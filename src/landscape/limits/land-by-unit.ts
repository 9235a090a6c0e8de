import type { AreaFigures } from '../../areas/area-counts.ts';
import { zoningWords } from '../../messages/landscape/zoning.ts';
import type { AreaLevels, Unit } from '../../areas/areas-schema.ts';
import { isOfUnit, unitOf, wholeLevel } from '../../areas/by-unit.ts';
import { toHectares } from '../../lib/units.ts';

/** Square metres by tuple of values. */
export type Areas = AreaFigures['raster'];

/** An answer whose figures are counted. */
export interface CountedAnswer<T> {
  readonly isPending: false;
  /** Equal keys have equal figures. */
  readonly key: string;
  read(): Promise<T>;
}

/** What answers about hectares say of how these are counted. */
export function howCounted(by: AreaLevels, districtsVersion: number) {
  return {
    by,
    districts_version: districtsVersion,
    unit: 'ha',
    method: { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false },
  } as const;
}

interface UnitsWanted {
  readonly by: AreaLevels;
  /** Of the only unit that is wanted, with what lies in it. */
  readonly kato: string | undefined;
  /** By code. */
  readonly names: ReadonlyMap<string, Unit>;
}

/**
 * Lists what the land of each unit has, of all pixels, and of those in no unit. @param landOf makes it of areas.
 * @throws {Problem} `not_found` when the unit that is wanted is not among them.
 */
export function landByUnit<Land extends object>(
  figures: AreaFigures,
  { by, kato, names }: UnitsWanted,
  landOf: (areas: Areas) => Land,
) {
  const level = wholeLevel(figures.units, by);
  const outside = figures.sets.find(({ set }) => set === level)?.outside ?? figures.raster;
  const units = figures.units
    .filter(({ id }) => kato === undefined || isOfUnit(id, kato))
    .map(({ id, set, area_m2: area, areas, outside_m2: beyond }) => ({
      ...unitOf(names, id, set),
      area_ha: toHectares(area),
      outside_raster_ha: toHectares(beyond),
      ...landOf(areas),
    }))
    .toSorted((one, other) => (one.kato < other.kato ? -1 : 1));
  if (kato !== undefined && units.length === 0) throw zoningWords.noSuchUnit(kato);
  return { units, raster: whole(figures.raster, landOf), outside_units: whole(outside, landOf) };
}

function whole<Land extends object>(areas: Areas, landOf: (areas: Areas) => Land) {
  return { area_ha: toHectares(areas.reduce((sum, [, area]) => sum + area, 0)), ...landOf(areas) };
}
