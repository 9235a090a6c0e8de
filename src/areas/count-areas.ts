import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { districtLines, UnitsChanged } from './unit-lines.ts';
import type { AreaCounts } from '../geo/engine.ts';
import type { Attempt } from '../jobs/handler.ts';
import { discardResult, publishResult } from '../jobs/results.ts';
import { areaProblems } from '../messages/areas/english.ts';
import { bringObject, ObjectMissing } from '../object-store/object-store.ts';
import type { ProcessingDependencies } from '../datasets/input-file.ts';

type Dependencies = Pick<ProcessingDependencies, 'db' | 'objectStore' | 'engine'>;

/** Counts areas by unit: pending → counted. May be interrupted anywhere and run again: results are visible only after publication. */
export async function countAreas(dependencies: Dependencies, attempt: Attempt): Promise<void> {
  const { db, engine } = dependencies;
  const row = await db
    .selectFrom('area_counts')
    .select(['of', 'cogs', 'units', 'districts_version as version', 'max_classes as maxClasses'])
    .where('id', '=', attempt.refId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (row === undefined) return; // pruned, or already counted
  const unitsPath = join(attempt.scratch, 'units.jsonl');
  const lines = row.units === null ? districtLines(db, row.version ?? 0) : [row.units];
  try {
    await writeLines(unitsPath, lines, attempt.signal);
  } catch (error) {
    if (!(error instanceof UnitsChanged)) throw error;
    await discardResult(attempt, 'area_counts');
    return;
  }
  const inputPaths = await fetchCogs(dependencies, attempt, row.cogs);
  const scratch = join(attempt.scratch, 'engine');
  await mkdir(scratch);
  const { maxClasses } = row;
  const common = { unitsPath, scratch, signal: attempt.signal };
  const [inputPath] = inputPaths;
  const counted =
    row.of === 'values' && inputPath !== undefined
      ? await engine.countValues({ inputPath, ...common })
      : await engine.countAreas({ inputPaths, withUnion: row.units !== null, maxClasses, ...common });
  const figures = figuresText(counted);
  await attempt.publish(
    async (trx) => await publishResult(trx, 'area_counts', attempt.refId, { figures, units: null }),
  );
}

/** Returns figures in their stored form. */
export function figuresText({ tuples, raster, units, sets }: AreaCounts): string {
  return JSON.stringify({ tuples, raster, units, sets });
}

export async function writeLines(
  path: string,
  lines: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(path), { signal });
}

/** Downloads COGs to the scratch folder of an attempt. @throws {Problem} if an object no longer exists. */
export async function fetchCogs(
  { objectStore, engine }: Dependencies,
  { scratch, signal }: Pick<Attempt, 'scratch' | 'signal'>,
  cogs: readonly string[],
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const [index, key] of cogs.entries()) {
    const path = join(scratch, `${index}.tif`);
    try {
      await bringObject(objectStore, key, { path, isGuarded: engine.guardsInput, signal });
    } catch (error) {
      throw error instanceof ObjectMissing ? areaProblems.gone().because(error) : error;
    }
    paths.push(path);
  }
  return paths;
}
