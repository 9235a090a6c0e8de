import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { startLeading } from '../../database/lease.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { blockBytes, blocksOf } from '../../remote/pin.ts';
import { RemoteFault } from '../../remote/remote-answer.ts';
import { storedReason } from './create-reference.ts';

const mostPerRound = 20;
const checkEverySeconds = 3600;
/** Another process may check the same file meanwhile; until then it is left alone. */
const claimSeconds = 600;

/** Records that the file of a reference cannot be read, or has changed. */
export async function recordFault(db: Database, key: string, fault: RemoteFault): Promise<void> {
  await db
    .updateTable('dataset_references')
    .set({
      state: fault.state,
      reason: storedReason(fault),
      changed_block: fault.block ?? null,
      checked_at: sql<Date>`now()`,
    })
    .where('dataset_id', 'in', (query) =>
      query.selectFrom('dataset_files').select('dataset_id').where('object_key', '=', key),
    )
    .execute();
}

/**
 * Looks at the files of references that were last looked at an hour ago: the first block, another one at random, and
 * one that was found changed, have to be those that were registered. The state of each says what was found; reading the file does the same.
 * @returns the number of references whose state is another one now
 */
export async function checkReferences(
  { db, objectStore }: { readonly db: Database; readonly objectStore: ObjectStore },
  everySeconds = checkEverySeconds,
): Promise<number> {
  let changed = 0;
  for (const { key, state, block } of await takeDue(db, everySeconds)) {
    const fault = await faultOf(objectStore, key, block);
    if (fault !== undefined) await recordFault(db, key, fault);
    else await recordSight(db, key);
    if ((fault?.state ?? 'unchanged') !== state) changed += 1;
  }
  return changed;
}

/** Looks at the files of references until it is closed, in one process at a time. */
export function startReferenceChecks(
  parts: { readonly db: Database; readonly objectStore: ObjectStore },
  log: Pick<Logger, 'info' | 'warn'>,
) {
  return startLeading(parts.db, log, {
    name: 'reference checks',
    async work() {
      const references = await checkReferences(parts).catch((err: unknown) => {
        log.warn({ err }, 'files of other servers could not be looked at, to be tried again');
        return 0;
      });
      if (references > 0) log.info({ references }, 'references have another state');
    },
    timing: { everyMs: 60_000, leaseMs: 90_000 },
  });
}

interface Due {
  readonly key: string;
  readonly state: string;
  readonly block: number | null;
}

async function takeDue(db: Database, everySeconds: number): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    update dataset_references known set checked_at = now() - make_interval(secs => ${Math.max(0, everySeconds - claimSeconds)})
      from dataset_files file, datasets
     where file.dataset_id = known.dataset_id and file.kind = 'original' and datasets.id = known.dataset_id
       and datasets.status = 'ready' and known.dataset_id in (
       select dataset_id from dataset_references
        where checked_at <= now() - make_interval(secs => ${everySeconds})
        order by checked_at limit ${mostPerRound} for update skip locked)
    returning file.object_key as key, known.state, known.changed_block as block`.execute(db);
  return rows;
}

/** Reads the blocks from the source, not from the cache of the process. */
async function faultOf(
  objectStore: ObjectStore,
  key: string,
  changedBlock: number | null,
): Promise<RemoteFault | undefined> {
  const sizeBytes = await objectStore.size(key);
  if (sizeBytes === undefined) return undefined; // deleted meanwhile
  try {
    for (const block of new Set([changedBlock ?? 0, 0, randomInt(blocksOf(sizeBytes))])) {
      const start = block * blockBytes;
      const range = { start, end: Math.min(start + blockBytes, sizeBytes) - 1 };
      for await (const _ of await objectStore.read(key, range));
    }
    return undefined;
  } catch (error) {
    if (error instanceof RemoteFault) return error;
    throw error;
  }
}

async function recordSight(db: Database, key: string): Promise<void> {
  await db
    .updateTable('dataset_references')
    .set({ state: 'unchanged', reason: null, changed_block: null, checked_at: sql<Date>`now()` })
    .where('dataset_id', 'in', (query) =>
      query.selectFrom('dataset_files').select('dataset_id').where('object_key', '=', key),
    )
    .execute();
}
