import type { ParquetBox, ParquetCell, ParquetColumn } from '../../lib/formats/parquet.ts';
import { nameBeside } from './table-rows.ts';

/** A geometry in longitude and latitude. */
export interface PlacedGeometry {
  readonly wkb: Uint8Array;
  /** Such as `MultiPolygon`. */
  readonly type: string;
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Undefined if its positions have no heights. */
  readonly heights?: readonly [lowest: number, highest: number] | undefined;
}

/**
 * Creates the columns and metadata of GeoParquet 1.1: the geometry as WKB, its bounding box, by which readers skip
 * rows, and the metadata of the file. Longitude first, WGS 84, outer rings counter-clockwise.
 * @param names of the other columns.
 */
export function createGeoColumns(names: Iterable<string>) {
  const taken = [...names];
  const [geometryName, boxName] = [nameBeside('geometry', taken), nameBeside('bbox', taken)];
  const types = new Set<string>();
  let [xmin, ymin, xmax, ymax] = [Infinity, Infinity, -Infinity, -Infinity];
  let [zmin, zmax] = [Infinity, -Infinity];
  const columns: readonly ParquetColumn[] = [
    { name: geometryName, type: 'bytes' },
    { name: boxName, type: 'box' },
  ];
  return {
    columns,
    cellsOf(placed: PlacedGeometry | undefined): readonly ParquetCell[] {
      if (placed === undefined) return [null, null];
      const [west, south, east, north] = placed.box;
      types.add(placed.heights === undefined ? placed.type : `${placed.type} Z`);
      const [lowest, highest] = placed.heights ?? [Infinity, -Infinity];
      [zmin, zmax] = [Math.min(zmin, lowest), Math.max(zmax, highest)];
      [xmin, ymin] = [Math.min(xmin, west), Math.min(ymin, south)];
      [xmax, ymax] = [Math.max(xmax, east), Math.max(ymax, north)];
      const box: ParquetBox = { xmin: west, ymin: south, xmax: east, ymax: north };
      return [placed.wkb, box];
    },
    /** Returns the metadata for all geometries passed to `cellsOf`. */
    facts(): Readonly<Record<string, string>> {
      const sides = ['xmin', 'ymin', 'xmax', 'ymax'] as const;
      const column = {
        encoding: 'WKB',
        geometry_types: [...types].toSorted(),
        orientation: 'counterclockwise',
        edges: 'planar',
        ...(types.size === 0
          ? {}
          : { bbox: zmin <= zmax ? [xmin, ymin, zmin, xmax, ymax, zmax] : [xmin, ymin, xmax, ymax] }),
        covering: { bbox: Object.fromEntries(sides.map((side) => [side, [boxName, side]])) },
      };
      const geo = { version: '1.1.0', primary_column: geometryName, columns: { [geometryName]: column } };
      return { geo: JSON.stringify(geo) };
    },
  };
}
