import type { Transaction } from '../../database/tables/tables.ts';
import { ringArea } from '../../geo/area/polygon-area.ts';
import { readPolygons } from '../../geo/area/stored-borders.ts';
import { createCache } from '../../../common/cache.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { toHectares } from '../../../common/formats/hectares.ts';

/** Limits memory; a unit may have megabytes. */
const unitsPerPage = 4;

export type UnitAreas = ReadonlyMap<string, number>;

/** Creates the reader of the areas of the administrative units, for one process; they are measured once for each version of the units. */
export function createUnitAreas() {
  const kept = createCache<UnitAreas>({ max: 2 });
  /** Returns hectares by KATO code: geodesic areas on the WGS 84 ellipsoid, with borders straight in longitude and latitude. */
  return async (trx: Transaction): Promise<UnitAreas> =>
    await kept.get(String(await readDistrictsVersion(trx)), async () => await measureUnits(trx));
}

async function measureUnits(trx: Transaction): Promise<UnitAreas> {
  const areas = new Map<string, number>();
  for (let last = ''; ;) {
    const units = await trx
      .selectFrom('districts')
      .select(['kato_code', 'geometry'])
      .where('kato_code', '>', last)
      .orderBy('kato_code')
      .limit(unitsPerPage)
      .execute();
    for (const { kato_code: code, geometry } of units) {
      areas.set(code, hectaresOf(geometry));
      last = code;
    }
    if (units.length < unitsPerPage) return areas;
  }
}

/** @param geometry GeoJSON text of a polygon, or of several that do not overlap. */
export function hectaresOf(geometry: string): number {
  const measured = readPolygons(geometry).map(([outer = [], ...holes]) =>
    holes.reduce((rest, hole) => rest - areaOf(hole), areaOf(outer)),
  );
  return toHectares(measured.reduce((sum, area) => sum + area, 0));
}

function areaOf(ring: readonly (readonly number[])[]): number {
  const places = ring.flatMap(([longitude = Number.NaN, latitude = Number.NaN]) => [longitude, latitude]);
  return Math.abs(ringArea(places));
}
