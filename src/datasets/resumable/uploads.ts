import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { inTransaction } from '../../database/transaction.ts';
import type { Database, Tables, Transaction } from '../../database/tables/tables.ts';
import { createShareNext } from '../../lib/concurrency/single-flight.ts';
import { uploadProblems } from '../../messages/request/english.ts';
import { retireObjects } from '../../object-store/ledger.ts';

export type UploadRow = Selectable<Tables['uploads']>;

export interface UploadLimits {
  /** Largest file that can be uploaded in pieces. */
  readonly maxBytes: number;
  /** Total size of all unfinished uploads. */
  readonly maxHeldBytes: number;
  readonly maxUnfinished: number;
  /** Time from the last byte to the expiry of an upload, and from its end to the deletion of its row. */
  readonly expirySeconds: number;
}

/** An empty upload expires sooner: it may have been started by mistake. */
const emptyExpirySeconds = 3600;
const startLock = 66_066;
/** Longest wait for the lock, which other apis may hold. */
const startSeconds = 30;
const sweptAtOnce = 100;

export const isUnfinished = sql<boolean>`ended_at is null`;

/** Facts that a client states when an upload begins. */
type Start = Pick<UploadRow, 'length' | 'metadata'>;

/**
 * Creates a function that begins valid uploads. Concurrent calls share the next transaction, so that one connection
 * waits for the lock, however many callers there are.
 * @throws {Problem} `busy` if too many uploads are unfinished.
 */
export function createUploadStarts(db: Database, limits: UploadLimits): (start: Start) => Promise<UploadRow> {
  const share = createShareNext<ReadonlyMap<string, UploadRow>>(startSeconds * 1000);
  let asked = new Map<string, Start>();
  const beginAsked = async () => {
    const starts = [...asked].map(([id, start]) => ({ id, ...start }));
    asked = new Map();
    const begun = await beginUploads(db, limits, starts);
    return new Map(begun.map((row) => [row.id, row]));
  };
  return async (start) => {
    const id = randomUUID();
    asked.set(id, start);
    const begun = (await share('', beginAsked)).get(id);
    if (begun === undefined) throw uploadProblems.tooMany(limits.maxUnfinished);
    return begun;
  };
}

/** Begins as many uploads as the limit allows, in order. */
async function beginUploads(
  db: Database,
  { maxUnfinished, expirySeconds }: UploadLimits,
  starts: readonly (Start & { readonly id: string })[],
): Promise<readonly UploadRow[]> {
  return await inTransaction(db, async (trx) => {
    await sql.raw(`set local lock_timeout = '${startSeconds}s'`).execute(trx);
    await sql`select pg_advisory_xact_lock(${startLock})`.execute(trx); // otherwise concurrent transactions would not see each other's uploads
    const { count } = await trx
      .selectFrom('uploads')
      .select(sql<number>`count(*)`.as('count'))
      .where(isUnfinished)
      .executeTakeFirstOrThrow();
    const expires_at = inSeconds(Math.min(expirySeconds, emptyExpirySeconds));
    const rows = starts
      .slice(0, Math.max(0, maxUnfinished - count))
      .map((start) => ({ ...start, expires_at }));
    return rows.length === 0 ? [] : await trx.insertInto('uploads').values(rows).returningAll().execute();
  });
}

export const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

/** Reads an upload. @throws {Problem} `not_found`; `gone` after its expiry. */
export async function readUpload(db: Database, id: string): Promise<UploadRow> {
  const found = await db
    .selectFrom('uploads')
    .selectAll()
    .select(sql<boolean>`expires_at < now()`.as('is_late'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) throw uploadProblems.noSuchUpload();
  const { is_late: isLate, ...row } = found;
  const isLost = row.ended_at === null ? isLate : row.dataset_id === null && row.source_file_id === null;
  if (isLost) throw uploadProblems.expired();
  return row;
}

/**
 * Deletes an upload with all its bytes; a dataset created from it stays.
 * @param check throws to refuse.
 * @throws {Problem} `not_found`
 */
export async function terminateUpload(db: Database, id: string, check: () => void = () => {}): Promise<void> {
  await inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('uploads')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw uploadProblems.noSuchUpload();
    check();
    await retirePieces(trx, [id]);
    await trx.deleteFrom('uploads').where('id', '=', id).execute();
  });
}

/** Retires the bytes of uploads whose rows the transaction has locked. */
export async function retirePieces(trx: Transaction, ids: readonly string[]): Promise<void> {
  const gone = await trx
    .deleteFrom('upload_pieces')
    .where('upload_id', 'in', ids)
    .returning('object_key')
    .execute();
  await retireObjects(
    trx,
    gone.map(({ object_key }) => object_key),
  );
}

/** Retires the bytes of expired uploads, and deletes those that ended long ago. Any number of processes may do this at once. */
export async function sweepUploads(
  db: Database,
  { expirySeconds }: Pick<UploadLimits, 'expirySeconds'>,
): Promise<number> {
  const swept = await inTransaction(db, async (trx) => {
    const expired = await trx
      .selectFrom('uploads')
      .select('id')
      .where(isUnfinished)
      .where('expires_at', '<', sql<Date>`now()`)
      .where(sql<boolean>`(finishing_until is null or finishing_until < now())`)
      .limit(sweptAtOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    const ids = expired.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await retirePieces(trx, ids);
    await trx
      .updateTable('uploads')
      .set({ ended_at: sql<Date>`now()` })
      .where('id', 'in', ids)
      .execute();
    return ids.length;
  });
  await db.deleteFrom('uploads').where('ended_at', '<', inSeconds(-expirySeconds)).execute();
  return swept;
}
