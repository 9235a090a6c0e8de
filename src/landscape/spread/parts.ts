import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { foreignKeyViolation, inTransaction } from '../../database/transaction.ts';
import type { Database } from '../../database/tables/tables.ts';
import { publishObject, writeDraft } from '../../object-store/ledger.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { type BatchResult, TileGaps } from '../compute/landscape-engine.ts';
import type { SourceCounts } from '../grid/sample.ts';
import { countsSchema } from '../grid/schemas.ts';
import type { StoredFile } from './composed-cog.ts';
import { PassGone } from './failures.ts';

interface PartStore {
  readonly db: Database;
  readonly objectStore: ObjectStore;
}

const ByteCounts = z.array(z.int().nonnegative());
/** The concatenated files of each node in a part, in the order of the nodes; `needed` as in the result of a batch. */
const PartFiles = z.array(z.object({ code: z.string(), lengths: ByteCounts, needed: ByteCounts }));
const Counts = z.record(z.string(), countsSchema);

/** The range of the files of one node within the part of a block. */
export interface PartRange {
  readonly place: number;
  readonly key: string;
  /** Offset from the start of the part, in bytes. */
  readonly start: number;
  readonly lengths: readonly number[];
  /** The number of bytes of each file that are needed to compose a COG. */
  readonly needed: readonly number[];
}

export async function hasPart(db: Database, runId: string, place: number): Promise<boolean> {
  const row = await db
    .selectFrom('landscape_parts')
    .select('place')
    .where('run_id', '=', runId)
    .where('place', '=', place)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the parts of a run. */
export async function countParts(db: Database, runId: string): Promise<number> {
  const { count } = await db
    .selectFrom('landscape_parts')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Stores the result of a block as a part, in one transaction with its row; false when the part already exists. May be repeated after any
 * interruption.
 * @throws {PassGone} when the pass has ended.
 */
export async function keepPart(
  { db, objectStore }: PartStore,
  { runId, place }: { readonly runId: string; readonly place: number },
  result: BatchResult,
  signal: AbortSignal,
): Promise<boolean> {
  const files = await Promise.all(
    result.parts.map(async ({ code, paths, neededBytes = [] }) => ({
      code,
      lengths: await Promise.all(paths.map(async (path) => (await stat(path)).size)),
      needed: neededBytes,
    })),
  );
  const row = {
    run_id: runId,
    place,
    counts: JSON.stringify(result.sources),
    files: JSON.stringify(files),
    gaps: result.gaps === undefined ? null : JSON.stringify(result.gaps),
  };
  await using drafts = new AsyncDisposableStack();
  const draft =
    files.length === 0
      ? undefined
      : drafts.use(
          await writeDraft(db, objectStore, `parts/${runId}/${place}-${randomUUID()}.bin`, {
            stream: addAbortSignal(signal, Readable.from(bytesOf(result), { objectMode: false })),
            maxSizeBytes: files.flatMap(({ lengths }) => lengths).reduce((sum, length) => sum + length, 0),
          }),
        );
  return await inTransaction(db, async (trx) => {
    const inserted = await trx
      .insertInto('landscape_parts')
      .values({ ...row, part_key: draft?.key ?? null })
      .onConflict((conflict) => conflict.columns(['run_id', 'place']).doNothing())
      .returning('place')
      .executeTakeFirst();
    if (inserted === undefined) return false;
    if (draft !== undefined) await publishObject(trx, draft.key);
    return true;
  }).catch((error: unknown) => {
    throw foreignKeyViolation(error) === 'landscape_parts_run_id_fkey' ? new PassGone() : error;
  });
}

async function* bytesOf({ parts }: BatchResult): AsyncGenerator<Buffer> {
  for (const path of parts.flatMap(({ paths }) => paths)) yield* createReadStream(path);
}

/** Finds the files of a node in all parts of a run, in the order of the blocks. */
export async function rangesOf(db: Database, runId: string, code: string): Promise<readonly PartRange[]> {
  const rows = await db
    .selectFrom('landscape_parts')
    .select(['place', 'part_key', 'files'])
    .where('run_id', '=', runId)
    .orderBy('place')
    .execute();
  return rows.flatMap(({ place, part_key: key, files }) => {
    let start = 0;
    for (const each of PartFiles.parse(JSON.parse(files))) {
      if (each.code === code && key !== null) return [{ ...each, place, key, start }];
      start += each.lengths.reduce((sum, length) => sum + length, 0);
    }
    return [];
  });
}

/**
 * Downloads the beginnings of the files of a node in one part that are needed to compose a COG, into sparse files of full length.
 * @returns the place of the bytes of each file in the store, by path, in order.
 */
export async function bringRange(
  objectStore: ObjectStore,
  { key, start, lengths, needed }: PartRange,
  { folder, name, signal }: { readonly folder: string; readonly name: string; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, StoredFile>> {
  const stored = new Map<string, StoredFile>();
  let begin = start;
  for (const [index, length] of lengths.entries()) {
    const path = join(folder, `${name}-${index}.tif`);
    const wanted = needed[index] ?? length;
    const body = await objectStore.read(key, { start: begin, end: begin + wanted - 1 }, { signal });
    const file = createWriteStream(path);
    await pipeline(body, file, { signal });
    if (file.bytesWritten !== wanted) throw new Error(`the part ${key} is shorter than its row says`);
    await truncate(path, length);
    stored.set(path, { key, start: begin });
    begin += length;
  }
  return stored;
}

/** Reads the counts of sources from all blocks of a run. */
export async function readCounts(
  db: Database,
  runId: string,
): Promise<readonly Record<string, SourceCounts>[]> {
  const rows = await db.selectFrom('landscape_parts').select('counts').where('run_id', '=', runId).execute();
  return rows.map(({ counts }) => Counts.parse(JSON.parse(counts)));
}

const Gaps = z.array(TileGaps);

/** Reads the gaps of each tile, in the order of the blocks; undefined when a block has none. */
export async function readGaps(
  db: Database,
  runId: string,
): Promise<readonly (readonly TileGaps[])[] | undefined> {
  const rows = await db
    .selectFrom('landscape_parts')
    .select('gaps')
    .where('run_id', '=', runId)
    .orderBy('place')
    .execute();
  if (rows.some(({ gaps }) => gaps === null)) return undefined;
  return rows.map(({ gaps }) => Gaps.parse(JSON.parse(gaps ?? '[]')));
}
