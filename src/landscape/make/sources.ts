import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../database/tables/tables.ts';
import { filesOfDataset, findFile } from '../../datasets/files.ts';
import { getFlatGeobufKey } from '../../datasets/vector-features.ts';
import { invalidFields } from '../../lib/errors.ts';
import { inputFaults, inputProblems } from '../../messages/inputs/english.ts';
import { elevation } from '../model/leaves.ts';
import { resolveInputs } from '../plan/plan-inputs.ts';
import { inSnapshot } from '../../database/transaction.ts';
import { Guid } from '../../validation/fields.ts';
import type { InputRecipeBody } from './recipe-schema.ts';

export const InputSource = z.object({
  dataset_id: Guid,
  name: z.string(),
  role: z.enum(['grid', 'features', 'raster']),
  storage_key: z.string(),
  /** Days of its period, both ends included; null without one. */
  days: z.number().nullable(),
  /** First and last day of its period, as far as they are known. */
  start_date: z.string().nullable().default(null),
  end_date: z.string().nullable().default(null),
});
export type InputSource = z.infer<typeof InputSource>;

/**
 * Finds the sources of a recipe in the order in which it reads them; `newest` sorts rasters by freshness.
 * @throws {Problem} `invalid` for a dataset that does not exist, has another type or is not ready
 */
export async function sourcesOf(db: Database, recipe: InputRecipeBody): Promise<readonly InputSource[]> {
  const ids = 'dataset_ids' in recipe ? recipe.dataset_ids : [recipe.dataset_id];
  const gridId = await gridOf(db, recipe);
  const rows = await db
    .selectFrom('datasets')
    .select(['id', 'name', 'file_type', 'status', 'start_date', 'end_date', 'created_at'])
    .select(filesOfDataset)
    .where('id', '=', sql<string>`any(${[...ids, ...(gridId === undefined ? [] : [gridId])]}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const find = (id: string, type: 'vector' | 'raster', field: string) => {
    const row = byId.get(id);
    if (row?.file_type !== type || row.status !== 'ready')
      throw invalidFields({ [field]: inputFaults.noSuchDataset(type) });
    return row;
  };
  const source = (row: (typeof rows)[number], role: InputSource['role']): InputSource => {
    const key = role === 'features' ? getFlatGeobufKey(row) : findFile(row.files, 'cog');
    if (key === null) throw inputProblems.gone();
    const { id, name, start_date, end_date } = row;
    return { dataset_id: id, name, role, storage_key: key, days: daysOf(row), start_date, end_date };
  };
  const grid = gridId === undefined ? [] : [source(find(gridId, 'raster', 'grid'), 'grid')];
  if ('dataset_id' in recipe)
    return [...grid, source(find(recipe.dataset_id, 'vector', 'dataset_id'), 'features')];
  const rasters = ids.map((id, index) => find(id, 'raster', `dataset_ids.${index}`));
  const isByAge = recipe.method === 'mosaic' && recipe.rule === 'newest';
  const sorted = isByAge ? rasters.toSorted(newestFirst) : rasters;
  return [...grid, ...sorted.map((row) => source(row, 'raster'))];
}

/** Returns the dataset that gives the grid; undefined for the first raster. */
async function gridOf(db: Database, { grid }: InputRecipeBody): Promise<string | undefined> {
  if (grid === 'first') return undefined;
  if (grid !== 'reference') return grid;
  const { rasters } = await inSnapshot(db, async (trx) => await resolveInputs(trx, {}));
  const id = rasters.get(elevation.group)?.id;
  if (id === undefined) throw inputProblems.noReference();
  return id;
}

interface Dated {
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly created_at: Date;
}

/** Compares by end date, then by creation, as the freshest dataset of a group is found. */
function newestFirst(one: Dated, other: Dated): number {
  const [a, b] = [one.end_date ?? '', other.end_date ?? ''];
  return a === b ? other.created_at.getTime() - one.created_at.getTime() : a < b ? 1 : -1;
}

function daysOf({ start_date: start, end_date: end }: Dated): number | null {
  if (start === null || end === null) return null;
  return Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000) + 1;
}

/**
 * Returns the period of a made raster: that of its recipe; without one, from the first to the last day of the rasters if all of them
 * have a period.
 */
export function periodOf(
  recipe: InputRecipeBody,
  sources: readonly InputSource[],
): Pick<InputSource, 'start_date' | 'end_date'> {
  const { start_date, end_date } = recipe;
  const rasters = sources.filter(({ role }) => role === 'raster');
  const starts = rasters.flatMap((source) => source.start_date ?? []).toSorted();
  const ends = rasters.flatMap((source) => source.end_date ?? []).toSorted();
  const isOwn = start_date !== null || end_date !== null;
  if (isOwn || starts.length < rasters.length || ends.length < rasters.length)
    return { start_date, end_date };
  return { start_date: starts[0] ?? null, end_date: ends.at(-1) ?? null };
}
