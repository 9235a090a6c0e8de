import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import gdal from 'gdal-async';
import type { MadePolygons, PolygonsAsked } from '../../../src/geo/polygons.ts';
import { lineOf } from '../../../src/areas/unit-lines.ts';
import type { GivenUnit } from './areas.ts';
import type { TestEngine } from '../geo/engine.ts';

/** A zone in a GeoPackage. */
export interface Zone {
  readonly geometry: gdal.Geometry;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const envelopeBytes = 40;

/** Reads the layer `zones` without GDAL. */
export function readZones(path: string): Zone[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('select * from zones order by fid').all();
  return rows.map(({ geom, ...attributes }) => {
    if (!(geom instanceof Uint8Array)) throw new Error('a zone has no geometry');
    return { geometry: gdal.Geometry.fromWKB(Buffer.from(geom.subarray(envelopeBytes))), attributes };
  });
}

/** Makes polygons with an engine, by default all of them in one part. */
export async function polygonsWith(
  { engine, folder, run }: TestEngine,
  classesPath: string,
  options: Partial<PolygonsAsked> & { readonly units?: readonly GivenUnit[] } = {},
): Promise<MadePolygons> {
  const { units, ...asked } = options;
  const unitsPath = join(folder, `units-${performance.now()}.jsonl`);
  if (units !== undefined)
    await writeFile(
      unitsPath,
      units.map(({ id, set = 'own', geometry }) => lineOf(id, set, JSON.stringify(geometry))).join(''),
    );
  const names = Object.fromEntries((units ?? []).map(({ id }) => [id, `Unit ${id}`]));
  return await run(
    async (_, { scratch, signal }) =>
      await engine.makePolygons({
        classesPath,
        suitabilityPath: undefined,
        sensitivityPath: undefined,
        cut: units && { unitsPath, sets: ['own'], names },
        minAreaM2: 0,
        maxZones: 100_000,
        maxPositions: 1e7,
        classes: [],
        layer: 'Zones',
        description: 'Reference system:',
        changedAt: '2026-01-02T03:04:05.678Z',
        ...asked,
        scratch,
        signal,
      }),
    classesPath,
  );
}

/** A raster of classes in memory; 0 stands for no data. */
export interface ClassGrid {
  readonly width: number;
  readonly height: number;
  readonly values: readonly number[];
}

/** Finds the contiguous pixels of each class by flood fill, in the order of their first pixels. */
export function floods({ width, height, values }: ClassGrid): readonly (readonly number[])[] {
  const seen = new Set<number>();
  const found: number[][] = [];
  for (const [start, value] of values.entries()) {
    if (value === 0 || seen.has(start)) continue;
    const pixels = [start];
    seen.add(start);
    for (const pixel of pixels)
      for (const next of edgeNeighbours(pixel, { width, height }))
        if (values[next] === value && !seen.has(next)) {
          seen.add(next);
          pixels.push(next);
        }
    found.push(pixels);
  }
  return found;
}

/** Pixels that share an edge with a pixel. */
export function edgeNeighbours(
  pixel: number,
  { width, height }: Pick<ClassGrid, 'width' | 'height'>,
): readonly number[] {
  const [column, row] = [pixel % width, Math.floor(pixel / width)];
  return [
    ...(column > 0 ? [pixel - 1] : []),
    ...(column < width - 1 ? [pixel + 1] : []),
    ...(row > 0 ? [pixel - width] : []),
    ...(row < height - 1 ? [pixel + width] : []),
  ];
}
