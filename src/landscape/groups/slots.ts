import { z } from 'zod';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { Guid } from '../../validation/fields.ts';
import { DatasetSummary, type DatasetRow } from '../../datasets/schema.ts';
import { origins, readOrigins, warnOfInvented } from '../../datasets/origins.ts';
import { titleOf } from './titles.ts';
import { landscapeProblems, slotWarnings } from '../../messages/runs/english.ts';
import { exampleSlot } from './examples.ts';
import { leaves } from '../model/leaves.ts';
import { slotWords } from './graph-words.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { readGroups, ensureLandscapeCategory } from './group-rows.ts';
import type { CompleteUpload, Uploaded } from '../../datasets/resumable/finish.ts';
import {
  checkDetails,
  createDataset,
  type NamedFile,
  type Upload,
  type UploadDependencies,
} from '../../datasets/upload/upload.ts';
import { Problem } from '../../lib/errors.ts';
import type { AlsoWrite } from '../../database/transaction.ts';
import { sql } from 'kysely';
import { freshestFirst } from '../../catalogue/freshness.ts';
import type { Warning } from '../../geo/findings.ts';
import { warningOf } from '../../geo/gather-findings.ts';

/** The input group of a leaf of the graph. */
export const LandscapeSlot = z
  .object({
    code: z.string().describe('Dataset group code'),
    title: z.string().describe('Title of the slot, in the language of `Accept-Language`'),
    group_id: Guid.describe('Dataset group of the uploads to the slot'),
    latest: DatasetSummary.nullable().describe('Freshest dataset of the group in any status'),
    origin: z.enum(origins).optional().describe('Origin of the values of `latest`, only if it is known'),
    warning: z.string().optional().describe('Warns of invented data in `latest`, only if it has any'),
  })
  .meta({ id: 'LandscapeSlot', description: 'An input of the graph', examples: [exampleSlot] });
export type LandscapeSlot = z.infer<typeof LandscapeSlot>;

/**
 * Lists every slot in the order of the graph, with titles in a language.
 * @throws {Problem} `not_found` when one of the groups is missing.
 */
export async function listSlots(db: Database, language: Language): Promise<LandscapeSlot[]> {
  const groups = await readGroups(
    db,
    leaves.map(({ group }) => group),
    'all datasets',
  );
  const known = await readOrigins(
    db,
    [...groups.values()].flatMap(({ latest }) => latest?.id ?? []),
  );
  return leaves.map(({ key, group: code }) => {
    const { title } = slotWords(language, key);
    const group = groups.get(code);
    if (group === undefined) throw landscapeProblems.noSlotGroup(code);
    const found = known.get(group.latest?.id ?? '');
    const warning = found && warnOfInvented(found, language, (each) => titleOf(each, language));
    return {
      code,
      title,
      group_id: group.id,
      latest: group.latest,
      ...(found !== undefined && found.origin !== null && { origin: found.origin }),
      ...(typeof warning === 'string' && { warning }),
    };
  });
}

/** Returns the id of the group of a slot. @throws {Problem} `not_found` for another code, or when the group is missing. */
export async function findSlotGroup(db: Database, code: string): Promise<string> {
  if (!leaves.some(({ group }) => group === code)) throw landscapeProblems.noSuchSlot(slotMeant(code));
  const row = await db.selectFrom('dataset_groups').select('id').where('code', '=', code).executeTakeFirst();
  if (row === undefined) throw landscapeProblems.noSlotGroup(code);
  return row.id;
}

/** Guesses the intended slot: codes may lack the common prefix, or be spelled differently. */
function slotMeant(code: string): string | undefined {
  return leaves.find(({ group }) => abridged(group) === abridged(code))?.group;
}

function abridged(code: string): string {
  const words = code
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
  return words.replace(/^(?:landscape )?(?:in )?/, '');
}

const maxAttempts = 3;

/** Returns the reason why a slot does not exist; undefined when it does. */
export async function findSlotAbsence(db: Database, code: string): Promise<Problem | undefined> {
  try {
    await findSlotGroup(db, code);
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return error;
    throw error;
  }
}

/** Creates a raster dataset from an upload to a slot. @throws {Problem} `not_found`; `invalid`, naming every part. */
export async function createSlotDataset(
  parts: UploadDependencies,
  code: string,
  upload: Upload,
  alsoWrite?: AlsoWrite<DatasetRow>,
): Promise<DatasetRow> {
  return await inSlot(parts.db, { code, fields: upload.fields }, async (fields) => {
    return await createDataset(parts, { ...upload, fields }, alsoWrite);
  });
}

/** Creates the dataset of an upload in pieces, with or without a slot. @throws {Problem} as the other two. */
export async function createUploaded(
  parts: UploadDependencies,
  upload: Omit<CompleteUpload, 'isSource'>,
  alsoWrite: AlsoWrite<Uploaded>,
): Promise<Uploaded> {
  const end: AlsoWrite<DatasetRow> = async (trx, { id }) => await alsoWrite(trx, { kind: 'dataset', id });
  const { id } =
    upload.slot === undefined
      ? await createDataset(parts, upload, end)
      : await createSlotDataset(parts, upload.slot, upload, end);
  return { kind: 'dataset', id };
}

/** Checks an upload before its bytes are sent. @throws {Problem} as `createUploaded`. */
export async function checkUploaded(
  db: Database,
  { slot, fields, ...file }: NamedFile & Pick<CompleteUpload, 'slot' | 'fields'>,
): Promise<void> {
  if (slot === undefined) await checkDetails(db, file, fields);
  else await inSlot(db, { code: slot, fields }, async (all) => await checkDetails(db, file, all));
}

/** Adds the fields that the slot determines to those of an upload, and retries once if category or group were deleted meanwhile. */
async function inSlot<T>(
  db: Database,
  { code, fields }: { readonly code: string; readonly fields: Upload['fields'] },
  work: (fields: Upload['fields']) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const dg_id = await findSlotGroup(db, code);
    const category_id = await ensureLandscapeCategory(db);
    try {
      return await work({ ...fields, file_type: 'raster', category_id, dg_id });
    } catch (error) {
      if (attempt === maxAttempts || !hasLostItsPlace(error)) throw error;
    }
  }
}

/** Returns whether group or category were deleted meanwhile. The client did not send them, so the error must not mention them. */
function hasLostItsPlace(error: unknown): boolean {
  const fields = error instanceof Problem ? error.fields : undefined;
  return fields !== undefined && ('dg_id' in fields || 'category_id' in fields);
}

interface Outranking {
  readonly name: string;
  readonly endDate: string | null;
  readonly ownEndDate: string | null;
}

/** Warns when another raster of a dataset's slot is fresher, so that runs do not use this one. */
export async function freshnessWarnings(trx: Transaction, datasetId: string): Promise<Warning[]> {
  const { rows } = await sql<Outranking>`
    select freshest.name, freshest.end_date as "endDate", own.end_date as "ownEndDate"
      from datasets own
      join dataset_groups slot on slot.id = own.dg_id and slot.code = any(${leaves.map(({ group }) => group)})
     cross join lateral (
       select id, name, end_date from datasets
        where datasets.dg_id = slot.id and datasets.file_type = 'raster' and datasets.status <> 'failed'
        order by ${freshestFirst} limit 1
     ) freshest
     where own.id = ${datasetId} and freshest.id <> own.id`.execute(trx);
  return rows.map(({ name, endDate, ownEndDate }) =>
    warningOf('not_freshest', slotWarnings.notFreshest({ name, endDate }, ownEndDate)),
  );
}
