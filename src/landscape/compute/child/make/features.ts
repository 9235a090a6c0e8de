import { open } from 'node:fs/promises';
import type { Geometry } from '../../../../geo/flatgeobuf/geometry.ts';
import { createFeatureFiles, type FeatureFile } from '../../../../geo/flatgeobuf/open-file.ts';
import { geometryTypes } from '../../../../geo/flatgeobuf/layout.ts';
import { readFeatures } from '../../../../geo/flatgeobuf/read-features.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';

/** Features of a stored FlatGeobuf on this machine. */
export interface Features extends AsyncDisposable {
  /** Number of an attribute. @throws {Problem} without it */
  column(name: string): number;
  /** Passes every feature that has a geometry, in the order of the file. @returns number of those without */
  visit(take: (geometry: Geometry, textOf: (column: number) => string | null) => void): Promise<number>;
}

const perTurn = 50_000;

export async function openFeatures(path: string): Promise<Features> {
  const opened = await open(path);
  const { size: sizeBytes } = await opened.stat();
  const files = createFeatureFiles({
    size: async () => await Promise.resolve(sizeBytes),
    open: async () =>
      await Promise.resolve({
        sizeBytes,
        async fill(bytes: Buffer, start: number) {
          const { bytesRead } = await opened.read(bytes, 0, bytes.length, start);
          if (bytesRead !== bytes.length) throw new Error('the file of features ends too early');
        },
        [Symbol.dispose]: () => undefined,
      }),
    read: async () => await Promise.reject(new Error('features are read by ranges')),
  });
  const file: FeatureFile = await files.open(path);
  return {
    column(name) {
      const number = file.columns.findIndex((column) => column.name === name);
      if (number < 0)
        throw inputProblems.noAttribute(
          name,
          file.columns.map((column) => column.name),
        );
      return number;
    },
    async visit(take) {
      let without = 0;
      let from: number | undefined = file.features === 0 ? undefined : 0;
      while (from !== undefined)
        from = await readFeatures(files, file, {
          from,
          limit: perTurn,
          take: ({ geometry, values }) => {
            if (geometry === undefined) without += 1;
            else take(geometry, (column) => textOfValue(values.get(column)));
            return true;
          },
        });
      return without;
    },
    [Symbol.asyncDispose]: async () => await opened.close(),
  };
}

/** Returns a value as it is compared with a table: a text as it is, any other as its JSON text. */
function textOfValue(json: string | undefined): string | null {
  if (json === undefined || json === 'null') return null;
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** The polygons, lines and points of a geometry. */
export interface Parts {
  /** Rings of each polygon. */
  readonly polygons: (readonly Float64Array[])[];
  readonly lines: Float64Array[];
  readonly points: Float64Array[];
}

const { Point, MultiPoint, LineString, MultiLineString, Polygon } = geometryTypes;

/** Takes a geometry apart. */
export function partsOf(geometry: Geometry, parts: Parts = { polygons: [], lines: [], points: [] }): Parts {
  if ('parts' in geometry) {
    for (const part of geometry.parts) partsOf(part, parts);
    return parts;
  }
  const { type, lists } = geometry;
  if (type === Polygon) parts.polygons.push(lists);
  else if (type === LineString || type === MultiLineString) parts.lines.push(...lists);
  else if (type === Point || type === MultiPoint) parts.points.push(...lists);
  return parts;
}
