import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AreaCounts, AreaTask, TupleArea } from '../../../src/geo/engine.ts';
import { lineOf } from '../../../src/areas/unit-lines.ts';
import { projectRoot } from '../project.ts';
import type { TestEngine } from '../geo/engine.ts';

/** Total area of all tuples, in square metres. */
export function sumOf(areas: readonly TupleArea[]): number {
  return areas.reduce((sum, [, area]) => sum + area, 0);
}

/** Square metres by the only value of each tuple; tuples without a value count under 0. */
export function byValue({ tuples }: AreaCounts, areas: readonly TupleArea[]): ReadonlyMap<number, number> {
  return new Map(areas.map(([tuple, area]) => [tuples[tuple]?.[0] ?? 0, area]));
}

export const box = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

/** A polygon, by default one of the set `own`. */
export interface GivenUnit {
  readonly id: string;
  readonly set?: string;
  readonly geometry: object;
}

/** Reads the lines of the administrative units that a new database has. */
export async function seedUnits(): Promise<string> {
  const levels = ['region', 'district'].map(async (level) => {
    const text = await readFile(join(projectRoot, 'seeds', 'districts', `${level}s.geojsonl`), 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => {
        const { properties, geometry } = JSON.parse(line);
        return lineOf(properties.kato, level, JSON.stringify(geometry));
      });
  });
  return (await Promise.all(levels)).flat().join('');
}

/** Counts with an engine over units, or over lines of units. */
export async function countWith(
  { engine, folder, run }: TestEngine,
  paths: readonly string[],
  units: string | readonly GivenUnit[],
  options: Partial<Pick<AreaTask, 'maxClasses' | 'withUnion'>> = {},
): Promise<AreaCounts> {
  const unitsPath = join(folder, `units-${performance.now()}.jsonl`);
  const lines =
    typeof units === 'string'
      ? units
      : units.map(({ id, set = 'own', geometry }) => lineOf(id, set, JSON.stringify(geometry))).join('');
  await writeFile(unitsPath, lines);
  return await run(
    async (_, { scratch, signal }) =>
      await engine.countAreas({
        inputPaths: paths,
        unitsPath,
        withUnion: false,
        maxClasses: 256,
        ...options,
        scratch,
        signal,
      }),
    paths[0] ?? '',
  );
}
