import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import type { Database } from '../../database/tables/tables.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { readPolygons } from '../../geo/area/stored-borders.ts';
import { geometryTypes } from '../../geo/flatgeobuf/layout.ts';
import { listBorderedUnits } from '../../units/names/current-units.ts';
import { createCache } from '../../../common/cache.ts';
import type { Box } from '../../standards/boxes.ts';
import { type Geometry, geometryJson, meets } from '../../geo/flatgeobuf/geometry.ts';
import { createPageTexts, type FeatureSource, isWanted, type Shown, shownValues } from './source.ts';

/** A current administrative unit. */
export interface Unit {
  readonly code: string;
  readonly level: UnitLevel;
  readonly names: Readonly<Record<'name' | 'name_kk' | 'name_en', string | null>>;
  readonly geometry: Geometry;
  readonly box: Box;
}

/** The current units by code, in the order of their codes. */
export type Units = ReadonlyMap<string, Unit>;

/** Creates a cache of the borders of the units for one process: some megabytes, which are read again when the units have changed. */
export function createUnitShapes(db: Database) {
  const kept = createCache<Units>({ max: 1 });
  return {
    async current(): Promise<Units> {
      const version = await readDistrictsVersion(db);
      return await kept.get(String(version), async () => await readUnits(db));
    },
  };
}

async function readUnits(db: Database): Promise<Units> {
  const rows = await listBorderedUnits(db);
  return new Map(
    rows.map(({ kato: code, level, name, name_kk, name_en, geometry: text }) => {
      const polygons = readPolygons(text).map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
      const parts = polygons.map((lists) => ({ type: geometryTypes.Polygon, lists }));
      const geometry = { type: geometryTypes.MultiPolygon, parts };
      const box = boxAround(polygons.flat());
      return [code, { code, level, names: { name, name_kk, name_en }, geometry, box }];
    }),
  );
}

function boxAround(lists: readonly Float64Array[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const list of lists) {
    for (let i = 0; i + 1 < list.length; i += 2) {
      const [x, y] = [list[i] ?? 0, list[i + 1] ?? 0];
      [west, south] = [Math.min(west, x), Math.min(south, y)];
      [east, north] = [Math.max(east, x), Math.max(north, y)];
    }
  }
  return [west, south, east, north];
}

/** Returns the bounding box of units; undefined for no units. */
export function boxOfUnits(units: Iterable<Unit>): Box | undefined {
  let found: Box | undefined;
  for (const { box } of units)
    found =
      found === undefined
        ? box
        : [
            Math.min(found[0], box[0]),
            Math.min(found[1], box[1]),
            Math.max(found[2], box[2]),
            Math.max(found[3], box[3]),
          ];
  return found;
}

/** Returns whether the land of a unit intersects one of these boxes. */
export function isUnitIn({ geometry, box }: Unit, boxes: readonly Box[] | undefined): boolean {
  return (
    boxes === undefined ||
    boxes.some(
      (each) =>
        box[0] <= each[2] &&
        each[0] <= box[2] &&
        box[1] <= each[3] &&
        each[1] <= box[3] &&
        meets(geometry, each),
    )
  );
}

const unitQueryables = { kato: 'string', name: 'string', name_kk: 'string', name_en: 'string' } as const;

/** Opens the units of a level as features; the id is the code of the unit. */
export function openUnitSource(units: Units, level: UnitLevel): FeatureSource {
  const own = [...units.values()].filter((unit) => unit.level === level);
  const valuesOf = ({ code, names }: Unit) => ({ kato: code, ...names });
  const valueIn = (unit: Unit) => {
    const values: Readonly<Record<string, string | null>> = valuesOf(unit);
    return (name: string) => values[name];
  };
  const textOf = (unit: Unit, shown: Shown) => {
    const shape = shown.hasGeometry ? geometryJson(unit.geometry, shown.positionText) : 'null';
    const id = JSON.stringify(unit.code);
    const properties = JSON.stringify(shownValues(valuesOf(unit), shown));
    return `{"type":"Feature","id":${id},"geometry":${shape},"properties":${properties}}`;
  };
  return {
    queryables: unitQueryables,
    properties: Object.keys(unitQueryables),
    count: async ({ boxes, filter }) =>
      own.filter((unit) => isUnitIn(unit, boxes) && isWanted(filter, valueIn(unit))).length,
    isToken: (token) => units.has(token),
    async page({ boxes, filter, limit, offset, token = '', ...shown }) {
      const page = createPageTexts();
      const asked = own.filter(
        (unit) => unit.code >= token && isUnitIn(unit, boxes) && isWanted(filter, valueIn(unit)),
      );
      for (const unit of asked.slice(offset)) {
        if (page.texts.length === limit || !page.add(textOf(unit, shown)))
          return { features: page.texts, next: unit.code };
      }
      return { features: page.texts, next: undefined };
    },
    async feature(id, shown) {
      const unit = units.get(id);
      return unit?.level === level ? textOf(unit, shown) : undefined;
    },
  };
}
