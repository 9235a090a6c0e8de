import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { sql, type UpdateObject } from 'kysely';
import { ignore } from '../lib/concurrency/promises.ts';
import { endsWithin } from '../lib/concurrency/with-timeout.ts';
import type { Database, Tables, Transaction } from '../database/tables/tables.ts';
import { createMeter, measureBody, measureFile, measureStream, type ObjectFacts } from './measure.ts';
import { lengthOf, type ObjectStore, type Piece, StoreUnavailable } from './object-store.ts';

const leaseSeconds = 120;
const renewEveryMs = 30_000;
/**
 * Seconds in which bytes of an unanswered put may still arrive, counted from the first answered removal: a frozen server continues with the
 * data that it has, and the system of a disconnected client retransmits up to 51 s after the network is back.
 */
const lateSeconds = 60;
/** Maximum time for which a caller waits for the removal of a draft; then the sweeper takes over. */
const discardWithinMs = 1000;

/**
 * A stored object that no row owns yet. It is protected from the sweeper until disposal; unless a transaction has published it by then, its
 * bytes and its ledger entry are removed. Disposal never rejects: the sweeper removes the remainder after the lease has expired.
 */
export interface ObjectDraft extends AsyncDisposable {
  readonly key: string;
}

interface MeasuredDraft extends ObjectDraft {
  /** Digest of the stored bytes. */
  readonly sha256: Buffer;
}

/** A local file that is no longer written to; the store may take it over instead of copying it. */
export interface FinishedFile {
  readonly path: string;
  /** Aborts a copy. */
  readonly signal: AbortSignal;
}

/** A body of unknown size with a known maximum. */
export interface BoundedBody {
  readonly stream: Readable;
  readonly maxSizeBytes: number;
}

/** Pieces in the store that become one object. If the store copies them internally, the object is read once afterwards. */
export interface Composition {
  readonly pieces: readonly Piece[];
  /** Creates a check that sees all stored bytes in order; an error that it throws ends the draft. */
  readonly createCheck?: () => (bytes: Uint8Array) => void;
  readonly signal: AbortSignal;
}

type DraftBody = Readable | BoundedBody | FinishedFile | Composition;

function readFinished({ path, signal }: FinishedFile): Readable {
  signal.throwIfAborted();
  const stream = createReadStream(path);
  stream.on('error', ignore); // handled again by the store
  return addAbortSignal(signal, stream);
}

/** Registers `key` in the ledger, then stores `body`. Leaves nothing behind if `body` fails. A key is used only once. */
export async function writeDraft(
  db: Database,
  store: ObjectStore,
  key: string,
  body: DraftBody,
): Promise<MeasuredDraft> {
  const stream = body instanceof Readable ? body : 'stream' in body ? body.stream : undefined;
  stream?.on('error', ignore); // handled again by the store; until then it must not crash the process
  try {
    await db.insertInto('objects').values({ key, state: 'writing', lease_until: leaseFromNow }).execute();
  } catch (error) {
    stream?.destroy();
    throw error; // not discarded: the key may belong to another writer
  }
  const renew = async () => await changeDraft(db, key, { lease_until: leaseFromNow });
  const renewing = keepRenewing(renewEveryMs, renew).unref(); // a process that exits releases its drafts
  let mayComeLate = false;
  const draft = {
    key,
    async [Symbol.asyncDispose]() {
      clearInterval(renewing);
      await endsWithin(discardWithinMs, discard(db, store, key, { mayComeLate })).catch(ignore);
    },
  };
  try {
    const facts = await putAny(store, key, body);
    // If the sweeper was faster, publication fails.
    await changeDraft(db, key, {
      size_bytes: facts.sizeBytes,
      sha256: facts.sha256,
      lease_until: leaseFromNow,
    });
    return { ...draft, sha256: facts.sha256 };
  } catch (error) {
    mayComeLate = error instanceof StoreUnavailable && !error.isOver;
    await draft[Symbol.asyncDispose]();
    throw error;
  }
}

async function putAny(store: ObjectStore, key: string, body: DraftBody): Promise<ObjectFacts> {
  if (body instanceof Readable) return await putBody(store, key, body);
  if ('stream' in body) return await putBody(store, key, body.stream, body.maxSizeBytes);
  if ('pieces' in body) return await putPieces(store, key, body);
  return await putFile(store, key, body);
}

/** @throws {Error} if the composed object has another length. */
async function putPieces(
  store: ObjectStore,
  key: string,
  { pieces, createCheck, signal }: Composition,
): Promise<ObjectFacts> {
  const meter = createMeter();
  const check = createCheck?.() ?? ignore;
  const onBytes = (bytes: Uint8Array): void => {
    meter.push(bytes);
    check(bytes);
  };
  const isSeen = await store.compose(key, pieces, { signal, onBytes });
  const facts = isSeen
    ? meter.facts()
    : await measureStream(await store.read(key, undefined, { signal }), signal, createCheck?.());
  const expected = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  if (facts.sizeBytes !== expected)
    throw new Error(`the store composed ${facts.sizeBytes} bytes of pieces of ${expected}`);
  return facts;
}

async function putBody(
  store: ObjectStore,
  key: string,
  body: Readable,
  sizeBytes?: number,
): Promise<ObjectFacts> {
  const { measured, facts } = measureBody(body);
  await store.put(key, measured, { sizeBytes });
  return facts();
}

async function putFile(store: ObjectStore, key: string, file: FinishedFile): Promise<ObjectFacts> {
  if (await store.adopt(key, file.path)) return await measureFile(file.path, file.signal);
  const { size } = await stat(file.path);
  return await putBody(store, key, readFinished(file), size);
}

/** Changes the entry of a draft; returns false if it is not a draft any more. */
async function changeDraft(
  db: Database,
  key: string,
  change: UpdateObject<Tables, 'objects'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('objects')
    .set(change)
    .where('key', '=', key)
    .where('state', '=', 'writing')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** States the size and the digest of the file for which a published object stands. */
export async function describeObject(
  trx: Transaction,
  key: string,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: Buffer | null },
): Promise<void> {
  await trx.updateTable('objects').set({ size_bytes: sizeBytes, sha256 }).where('key', '=', key).execute();
}

/** Makes a draft live in the transaction that writes its owner's row. Fails if the sweeper was faster. */
export async function publishObject(trx: Transaction, key: string): Promise<void> {
  const isPublished = await changeDraft(trx, key, { state: 'live', lease_until: null });
  if (!isPublished) throw new Error(`object ${key} is no longer a draft`);
}

/**
 * Marks objects whose owner is deleted in this transaction as retired; `sweepObjects` removes the bytes. A key may
 * occur twice: a computed raster is its own COG.
 */
export async function retireObjects(trx: Transaction, keys: readonly (string | null)[]): Promise<string[]> {
  const present = [...new Set(keys.filter((key) => key !== null))];
  if (present.length === 0) return [];
  await trx
    .updateTable('objects')
    .set({ state: 'deleting', lease_until: null })
    .where('key', 'in', present)
    .execute();
  return present;
}

const leaseFromNow = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`;

/** Renews a lease periodically; a failed renewal is harmless, because the lease outlives several of them. */
export function keepRenewing(everyMs: number, renew: () => Promise<unknown>): NodeJS.Timeout {
  let renewing = false;
  return setInterval(() => {
    if (renewing) return;
    renewing = true;
    renew()
      .catch(ignore)
      .finally(() => (renewing = false));
  }, everyMs);
}

/**
 * Removes a draft unless it was published. Removes the bytes even if the ledger has forgotten the key: then this process was paused for so
 * long that the sweeper came first, and no other process knows of them. A publication whose outcome is unknown because the connection broke
 * still locks the row or has released it; either way its outcome is visible here.
 */
async function discard(
  db: Database,
  store: ObjectStore,
  key: string,
  { mayComeLate }: { readonly mayComeLate: boolean },
): Promise<void> {
  const lateUntil = mayComeLate ? sql<Date>`'infinity'` : null;
  await changeDraft(db, key, { state: 'deleting', lease_until: null, late_until: lateUntil });
  const entry = await db.selectFrom('objects').select('state').where('key', '=', key).executeTakeFirst();
  if (entry?.state === 'live') return;
  await store.remove(key);
  await forgetRemoved(db, key);
}

/**
 * Abandons drafts whose leases have expired; they can no longer be published. Commit this before removing bytes: a
 * rolled-back removal would leave a draft that looks complete.
 */
export async function giveUpDrafts(db: Database): Promise<void> {
  await sql`update objects set state = 'deleting', lease_until = null,
      late_until = case when size_bytes is null then 'infinity'::timestamptz end
    where key in (select key from objects where state = 'writing' and lease_until < now() for update skip locked)`.execute(
    db,
  );
}

/**
 * Deletes the entry of an object whose bytes the store has just removed; returns whether this call deleted it. If late
 * bytes may arrive, the entry remains until a second removal.
 */
export async function forgetRemoved(db: Database, key: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('objects')
    .where('key', '=', key)
    .where('state', '=', 'deleting')
    .where(isDue)
    .executeTakeFirst();
  if (numDeletedRows > 0n) return true;
  await db
    .updateTable('objects')
    .set({ late_until: sql`now() + make_interval(secs => ${lateSeconds})` })
    .where('key', '=', key)
    .where('late_until', '=', sql<Date>`'infinity'`)
    .execute();
  return false;
}

/** True if no bytes of an object can arrive after their removal. */
const isDue = sql<boolean>`(late_until is null or late_until < now())`;

/** The bytes of an object to be deleted must be removed now, for the first or second time. */
export const isToRemove = sql<boolean>`(late_until = 'infinity' or ${isDue})`;
