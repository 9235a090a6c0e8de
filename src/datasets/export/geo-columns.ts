import type { geojsonToWkb } from 'hyparquet-writer';
import type { ParquetBox, ParquetCell, ParquetColumn } from '../../lib/parquet.ts';
import { nameBeside } from './table-rows.ts';

/** A geometry as GeoJSON has it, in longitude and latitude. */
export type Geometry = Parameters<typeof geojsonToWkb>[0];

/**
 * Creates what a table has beside its own columns as GeoParquet 1.1: the geometry as WKB, its box, by which readers leave out what is elsewhere, and
 * the facts of the file. Longitude first, WGS 84, outer rings counter-clockwise.
 * @param names of the other columns.
 */
export async function createGeoColumns(names: Iterable<string>) {
  const { geojsonToWkb: toWkb } = await import('hyparquet-writer');
  const taken = [...names];
  const [geometryName, boxName] = [nameBeside('geometry', taken), nameBeside('bbox', taken)];
  const types = new Set<string>();
  let all: ParquetBox | undefined;
  const columns: readonly [ParquetColumn, ParquetColumn] = [
    { name: geometryName, type: 'bytes' },
    { name: boxName, type: 'box' },
  ];
  return {
    columns,
    /** Returns the cells of both columns. */
    cellsOf(geometry: Geometry | null): readonly [ParquetCell, ParquetCell] {
      const box = geometry === null ? undefined : boxOf(geometry);
      if (geometry === null || box === undefined) return [null, null];
      types.add(geometry.type);
      all = all === undefined ? box : unionOf(all, box);
      return [toWkb(geometry), box];
    },
    /** Of all geometries that have been seen. */
    facts(): Readonly<Record<string, string>> {
      const sides = ['xmin', 'ymin', 'xmax', 'ymax'] as const;
      const column = {
        encoding: 'WKB',
        geometry_types: [...types].toSorted(),
        orientation: 'counterclockwise',
        edges: 'planar',
        ...(all === undefined ? {} : { bbox: [all.xmin, all.ymin, all.xmax, all.ymax] }),
        covering: { bbox: Object.fromEntries(sides.map((side) => [side, [boxName, side]])) },
      };
      const geo = { version: '1.1.0', primary_column: geometryName, columns: { [geometryName]: column } };
      return { geo: JSON.stringify(geo) };
    },
  };
}

/** Returns the box of a geometry; undefined for one without positions. */
function boxOf(geometry: Geometry): ParquetBox | undefined {
  let [xmin, ymin, xmax, ymax] = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [x, y]: readonly unknown[] = part;
    if (typeof x === 'number' && typeof y === 'number') {
      [xmin, ymin] = [Math.min(xmin, x), Math.min(ymin, y)];
      [xmax, ymax] = [Math.max(xmax, x), Math.max(ymax, y)];
    } else for (const each of part) visit(each);
  };
  const visitGeometry = (each: Geometry): void => {
    if (each.type === 'GeometryCollection') for (const member of each.geometries) visitGeometry(member);
    else visit(each.coordinates);
  };
  visitGeometry(geometry);
  return xmin <= xmax && ymin <= ymax ? { xmin, ymin, xmax, ymax } : undefined;
}

function unionOf(one: ParquetBox, other: ParquetBox): ParquetBox {
  return {
    xmin: Math.min(one.xmin, other.xmin),
    ymin: Math.min(one.ymin, other.ymin),
    xmax: Math.max(one.xmax, other.xmax),
    ymax: Math.max(one.ymax, other.ymax),
  };
}
