import type { AreaFigures } from '../../areas/area-counts.ts';
import type { AreaLevels } from '../../areas/areas-schema.ts';
import { type Areas, landByUnit, method, onlyUnits } from '../../areas/by-unit.ts';

/** An answer with counted figures. */
export interface CountedAnswer<T> {
  readonly isPending: false;
  /** Equal keys have equal figures. */
  readonly key: string;
  read(): Promise<T>;
}

/** Returns the members of answers about hectares that describe the counting. */
export function howCounted(by: AreaLevels, districtsVersion: number) {
  return {
    by,
    districts_version: districtsVersion,
    unit: 'ha',
    method,
  } as const;
}

/**
 * Lists the land of each unit, of all pixels and outside of units in the members of answers. @param landOf converts areas to land
 * @throws {Problem} `not_found` when the requested unit is not among them.
 */
export function writtenLand<Land extends object>(
  figures: AreaFigures,
  { kato, ...wanted }: Parameters<typeof landByUnit>[1] & { readonly kato: string | undefined },
  landOf: (areas: Areas) => Land,
) {
  const { units, raster, outside } = landByUnit(figures, wanted, (areas) => ({ land: landOf(areas) }));
  return {
    units: onlyUnits(units, kato).map(({ unit, land, ...areas }) => ({ ...unit, ...areas, ...land })),
    raster: { area_ha: raster.area_ha, ...raster.land },
    outside_units: { area_ha: outside.area_ha, ...outside.land },
  };
}
