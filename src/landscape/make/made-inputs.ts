import { hash } from 'node:crypto';
import { sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { freshestFirst } from '../../catalogue/freshness.ts';
import type { Database } from '../../database/tables/tables.ts';
import { findPeriodError } from '../../datasets/references.ts';
import { summaryColumns, type SummaryRow, toDatasetSummary } from '../../datasets/schema.ts';
import { storedMessage } from '../../geo/findings.ts';
import { type PendingResult, type ResultKind, want } from '../../jobs/results.ts';
import { type FieldErrors, invalidFields } from '../../lib/errors.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { inputFaults, inputProblems } from '../../messages/inputs/english.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { InputFigures } from '../compute/input-work.ts';
import { findSlotGroup } from '../groups/slots.ts';
import { type Leaf, leaves } from '../model/leaves.ts';
import { InputRecipeBody, type MadeInputView } from './recipe-schema.ts';
import { InputSource, sourcesOf } from './sources.ts';

/** Part of the key: raise it when a method changes, so that repeated recipes make new rasters. */
export const recipeVersion = 1;

const mostListed = 100;

/** The result is a dataset of the user; the row is deleted with it. */
export const madeInputs = {
  job: 'make-input',
  table: 'made_inputs',
  content: z.object({}),
  waiting: { most: 16, refuse: inputProblems.tooManyWaiting },
  kept: sql`interval '90 days'`,
  lasting: sql<SqlBool>`dataset_id is not null`,
  notNow: inputProblems.failed,
} as const satisfies ResultKind<z.ZodRawShape>;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

export interface FoundInput {
  readonly isPending: false;
  /** Describes it in a language. */
  view(language: Language): MadeInputView;
}

/** Returns the leaf of a slot. @throws {Error} for another code */
export function leafOf(slot: string): Leaf {
  const leaf = leaves.find(({ group }) => group === slot);
  if (leaf === undefined) throw new Error(`there is no slot ${slot}`);
  return leaf;
}

/**
 * Returns the raster of a recipe in a slot, or has it made: once for all requests with the same recipe and sources.
 * @throws {Problem} when it could not be made, when too many wait, and for a recipe or sources that do not suit the slot
 */
export async function makeInSlot(
  dependencies: Dependencies,
  slot: string,
  body: unknown,
): Promise<FoundInput | PendingResult> {
  const { db } = dependencies;
  await findSlotGroup(db, slot);
  const recipe = parseBody(InputRecipeBody, body);
  const faults = faultsOf(recipe, leafOf(slot));
  if (Object.keys(faults).length > 0) throw invalidFields(faults);
  const sources = await sourcesOf(db, recipe);
  refuseUnknownDays(recipe, sources);
  const text = { version: recipeVersion, slot, recipe, keys: sources.map(({ storage_key }) => storage_key) };
  const key = hash('sha256', JSON.stringify(text), 'hex');
  const columns = {
    slot,
    recipe: JSON.stringify(recipe),
    recipe_version: recipeVersion,
    sources: JSON.stringify(sources),
  };
  const found = await want(dependencies, madeInputs, key, { columns });
  if (found.isPending) return found;
  const [row] = await rowsWhere(db, sql`made.id = ${found.id}`);
  if (row === undefined) throw inputProblems.gone();
  const newer = await newerSources(db, [row]);
  return { isPending: false, view: (language) => viewOf(row, newer, language) };
}

/** Finds faults of a recipe that its slot does not allow. */
function faultsOf(recipe: InputRecipeBody, { type, ...leaf }: Leaf): FieldErrors {
  const isClasses = type === 'uint8';
  const faults: Record<string, FieldErrors[string]> = {
    ...findPeriodError(recipe.start_date, recipe.end_date),
  };
  if (recipe.method === 'rasterize') {
    if (isClasses && recipe.table === null) faults['table'] = inputFaults.needsTable;
    if (isClasses && recipe.rule === 'mean') faults['rule'] = inputFaults.notForClasses;
    const values = new Set<string | null>();
    for (const [index, { value, number }] of recipe.table?.entries() ?? []) {
      if (values.has(value)) faults[`table.${index}.value`] = inputFaults.twice(value ?? '');
      values.add(value);
      if (isClasses && number !== null && 'classes' in leaf && !leaf.classes.includes(number))
        faults[`table.${index}.number`] = inputFaults.notAClass(leaf.classes);
    }
  } else if (isClasses && recipe.method !== 'mosaic') faults['method'] = inputFaults.notForClasses;
  else if (isClasses && recipe.method === 'mosaic' && (recipe.rule === 'mean' || recipe.rule === 'minimum'))
    faults['rule'] = inputFaults.notForClasses;
  else if (recipe.method === 'arithmetic' && recipe.weights === 'days' && isExtreme(recipe.combine))
    faults['weights'] = inputFaults.daysOfExtreme;
  return faults;
}

const isExtreme = (combine: string): boolean => combine === 'minimum' || combine === 'maximum';

function refuseUnknownDays(recipe: InputRecipeBody, sources: readonly InputSource[]): void {
  if (recipe.method !== 'arithmetic' || recipe.weights !== 'days') return;
  const without = sources.find(({ role, days }) => role === 'raster' && days === null);
  if (without !== undefined) throw inputProblems.noDays(without.name);
}

/** Lists the rasters that were made in a slot, newest first. @throws {Problem} `not_found` */
export async function listMade(
  db: Database,
  slot: string,
  { datasetId, language }: { readonly datasetId: string | undefined; readonly language: Language },
): Promise<MadeInputView[]> {
  await findSlotGroup(db, slot);
  const condition =
    datasetId === undefined ? sql<SqlBool>`true` : sql<SqlBool>`made.dataset_id = ${datasetId}`;
  const rows = await rowsWhere(db, sql`made.slot = ${slot} and ${condition}`);
  const newer = await newerSources(db, rows);
  return rows.map((row) => viewOf(row, newer, language));
}

async function rowsWhere(db: Database, condition: ReturnType<typeof sql<boolean>>) {
  return await db
    .selectFrom('made_inputs as made')
    .leftJoin('datasets', 'datasets.id', 'made.dataset_id')
    .selectAll('made')
    .select('datasets.status as dataset_status')
    .where(sql<boolean>`${condition}`)
    .orderBy('made.created_at', 'desc')
    .orderBy('made.id')
    .limit(mostListed)
    .execute();
}

type Row = Awaited<ReturnType<typeof rowsWhere>>[number];

export const sourcesOfRow = ({ sources }: Pick<Row, 'sources'>): readonly InputSource[] =>
  z.array(InputSource).parse(JSON.parse(sources));

/** Finds the freshest ready dataset of the group of each source that is fresher than it, by id of the source. */
async function newerSources(db: Database, rows: readonly Row[]): Promise<ReadonlyMap<string, SummaryRow>> {
  const ids = [...new Set(rows.flatMap((row) => sourcesOfRow(row).map((source) => source.dataset_id)))];
  const columns = sql.join(summaryColumns.map((column) => sql.ref(`datasets.${column}`)));
  const { rows: found } = await sql<SummaryRow & { source: string }>`
    select own.id as source, fresh.*
      from datasets own cross join lateral (
        select ${columns} from datasets
          where datasets.dg_id = own.dg_id and datasets.file_type = own.file_type and datasets.status = 'ready'
          order by ${freshestFirst} limit 1) fresh
     where own.id = any(${ids}::uuid[]) and fresh.id <> own.id`.execute(db);
  return new Map(found.map(({ source, ...row }) => [source, row]));
}

function viewOf(row: Row, newer: ReadonlyMap<string, SummaryRow>, language: Language): MadeInputView {
  const failure = row.state === 'failed' ? storedMessage(row.failure) : undefined;
  const sources = sourcesOfRow(row);
  const ids = new Set(sources.map((source) => source.dataset_id));
  return {
    id: row.id,
    slot: row.slot,
    recipe: InputRecipeBody.parse(JSON.parse(row.recipe)),
    recipe_version: row.recipe_version,
    sources: sources.map(({ dataset_id, name, role, storage_key }) => {
      const fresh = newer.get(dataset_id);
      const source = { dataset_id, name, role, storage_key };
      // Months or tiles of one group have no successor each: the freshest dataset cannot replace all of them.
      const replaced = [...ids].filter((id) => newer.get(id)?.id === fresh?.id);
      const isClear = fresh !== undefined && !ids.has(fresh.id) && replaced.length === 1;
      return { ...source, newer: isClear ? toDatasetSummary(fresh) : null };
    }),
    state: row.state,
    error: failure === undefined ? null : translate(failure, language),
    dataset_id: row.dataset_id,
    dataset_status: row.dataset_status,
    figures: row.figures === null ? null : InputFigures.parse(JSON.parse(row.figures)),
    created_at: row.created_at.toISOString(),
  };
}
