import type { AreaFigures } from '../../areas/area-counts.ts';
import { zoningWords } from '../../messages/landscape/zoning.ts';
import type { By } from '../balance/balance-schema.ts';
import { isOfUnit, type Unit, unnamed } from '../balance/land.ts';
import { squareMetresPerHectare } from '../../../common/formats/hectares.ts';

/** Square metres by tuple of values. */
export type Areas = AreaFigures['raster'];

/** An answer whose figures are counted. */
export interface CountedAnswer<T> {
  readonly isPending: false;
  /** Equal keys have equal figures. */
  readonly key: string;
  read(): Promise<T>;
}

export const hectares = (squareMetres: number): number => squareMetres / squareMetresPerHectare;

/** What answers about hectares say of how these are counted. */
export function howCounted(by: By, districtsVersion: number) {
  return {
    by,
    districts_version: districtsVersion,
    unit: 'ha',
    method: { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false },
  } as const;
}

interface UnitsWanted {
  readonly by: By;
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
  const level = by === 'district' ? 'district' : 'region';
  const outside = figures.sets.find(({ set }) => set === level)?.outside ?? figures.raster;
  const units = figures.units
    .filter(({ id }) => kato === undefined || isOfUnit(id, kato))
    .map(({ id, set, area_m2: area, areas, outside_m2: beyond }) => ({
      ...(names.get(id) ?? unnamed(id, set)),
      area_ha: hectares(area),
      outside_raster_ha: hectares(beyond),
      ...landOf(areas),
    }))
    .toSorted((one, other) => (one.kato < other.kato ? -1 : 1));
  if (kato !== undefined && units.length === 0) throw zoningWords.noSuchUnit(kato);
  return { units, raster: whole(figures.raster, landOf), outside_units: whole(outside, landOf) };
}

function whole<Land extends object>(areas: Areas, landOf: (areas: Areas) => Land) {
  return { area_ha: hectares(areas.reduce((sum, [, area]) => sum + area, 0)), ...landOf(areas) };
}
