import { readPolygons } from '../../geo/area/stored-borders.ts';
import type { Database } from '../../database/tables/tables.ts';
import { listBorderedUnits } from '../../units/names/current-units.ts';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import { type Extent, extentOf, type Polygons, projectRing } from '../../../common/maps/paper/albers.ts';

export interface BorderedUnit {
  readonly kato: string;
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
  readonly level: UnitLevel;
  readonly polygons: Polygons;
  /** In the Albers plane; undefined for a unit without borders. */
  readonly extent: Extent | undefined;
}

/** Reads the units of a level with their borders, in the order of their codes. */
export async function readBorders(db: Database, level: UnitLevel): Promise<readonly BorderedUnit[]> {
  const rows = await listBorderedUnits(db, level);
  return rows.map(({ geometry: text, ...unit }) => {
    const polygons = readPolygons(text);
    return { ...unit, polygons, extent: extentOf(polygons.flat().flatMap((ring) => projectRing(ring))) };
  });
}

/** Returns true if two extents of the plane overlap. */
export function meets(one: Extent, other: Extent): boolean {
  return one.left < other.right && other.left < one.right && one.bottom < other.top && other.bottom < one.top;
}
