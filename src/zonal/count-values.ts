import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { usualClasses, valueKeysOf } from '../areas/area-counts.ts';
import { districtLines } from '../areas/unit-lines.ts';
import type { Transaction } from '../database/tables/tables.ts';
import { EngineDied } from '../geo/engine.ts';
import type { Attempt } from '../jobs/handler.ts';
import { Problem } from '../lib/errors.ts';
import { areaProblems } from '../messages/areas/english.ts';
import { fetchCogs, figuresText, writeLines } from '../areas/count-areas.ts';
import type { ProcessingDependencies } from '../datasets/input-file.ts';

const mostDeaths = 3;

type Dependencies = Pick<ProcessingDependencies, 'db' | 'objectStore' | 'engine'>;

/**
 * Counts the values of COGs that are not counted yet, one after the other, within a job that needs them. Each result is stored at once,
 * so that the next attempt continues after it. Faults of a raster are stored too and do not keep other rasters from being counted.
 * @returns the key in `area_counts` of each counted COG.
 * @throws {UnitsChanged} when the districts have another version.
 */
export async function countMissingValues(
  dependencies: Dependencies,
  attempt: Attempt,
  { cogs, districtsVersion }: { readonly cogs: readonly string[]; readonly districtsVersion: number },
): Promise<ReadonlyMap<string, string>> {
  const { db } = dependencies;
  const keys = await valueKeysOf(db, cogs, districtsVersion);
  const known = await db
    .selectFrom('area_counts')
    .select('key')
    .where('key', '=', sql<string>`any(${[...keys.values()]})`)
    .where((eb) => eb.or([eb('state', '=', 'counted'), eb('is_final', '=', true)]))
    .execute();
  const knownKeys = new Set(known.map(({ key }) => key));
  const missing = [...keys].filter(([, key]) => !knownKeys.has(key));
  if (missing.length > 0) {
    const folder = join(attempt.scratch, 'values');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    const unitsPath = join(folder, 'units.jsonl');
    await writeLines(unitsPath, districtLines(db, districtsVersion), attempt.signal);
    for (const [cog, key] of missing) {
      const outcome = await countOne(dependencies, attempt, { cog, unitsPath, folder });
      await attempt.fenced(async (trx) => await keep(trx, { cog, key, districtsVersion, ...outcome }), {
        madeProgress: true,
      });
    }
    await rm(folder, { recursive: true });
  }
  const counted = await db
    .updateTable('area_counts')
    .set({ used_at: sql<Date>`now()` })
    .where('key', '=', sql<string>`any(${[...keys.values()]})`)
    .where('state', '=', 'counted')
    .returning('key')
    .execute();
  const found = new Set(counted.map(({ key }) => key));
  return new Map([...keys].filter(([, key]) => found.has(key)));
}

interface Outcome {
  readonly figures: string | null;
  readonly failure: string | null;
  readonly isFinal: boolean;
}

async function countOne(
  dependencies: Dependencies,
  attempt: Attempt,
  { cog, unitsPath, folder }: { readonly cog: string; readonly unitsPath: string; readonly folder: string },
): Promise<Outcome> {
  const own = join(folder, 'raster');
  const scratch = join(own, 'engine');
  const { signal } = attempt;
  await mkdir(scratch, { recursive: true });
  try {
    const [inputPath = ''] = await fetchCogs(dependencies, { scratch: own, signal }, [cog]);
    const task = { inputPath, unitsPath, scratch, signal };
    const counts = await survived(async () => await dependencies.engine.countValues(task));
    return { figures: figuresText(counts), failure: null, isFinal: false };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Problem) {
      const failure = JSON.stringify({ english: error.message, sentence: error.sentence });
      return { figures: null, failure, isFinal: error.code === 'invalid' };
    }
    // Other rasters may succeed; this one is tried again with the next change.
    if (!(error instanceof EngineDied)) throw error;
    const { message: english, sentence } = areaProblems.failed();
    return { figures: null, failure: JSON.stringify({ english, sentence }), isFinal: false };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Tries again after a child process has died, because the file may not be the cause. */
async function survived<T>(work: () => Promise<T>): Promise<T> {
  for (let deaths = 1; ; deaths += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EngineDied) || deaths === mostDeaths) throw error;
    }
  }
}

async function keep(
  trx: Transaction,
  outcome: Outcome & { readonly cog: string; readonly key: string; readonly districtsVersion: number },
): Promise<void> {
  const { cog, key, districtsVersion, figures, failure, isFinal } = outcome;
  await sql`
    insert into area_counts (id, of, key, state, cogs, districts_version, max_classes, figures, failure, is_final)
      values (${randomUUID()}, 'values', ${key}, ${figures === null ? 'failed' : 'counted'}, ${[cog]}, ${districtsVersion},
        ${usualClasses}, ${figures}, ${failure}, ${isFinal})
    on conflict (key) do update set state = excluded.state, figures = excluded.figures, failure = excluded.failure,
        is_final = excluded.is_final, changed_at = now(), used_at = now()
      where area_counts.state <> 'counted'`.execute(trx);
}
