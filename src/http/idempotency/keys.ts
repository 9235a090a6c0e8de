import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { ignore } from '../../lib/concurrency/promises.ts';
import { keyProblems } from '../../messages/request/english.ts';
import { keepRenewing } from '../../object-store/ledger.ts';

/** Time after which the key of a dead process can be claimed. */
const leaseSeconds = 15;
const renewEveryMs = 5000;
/** Time for which an answer is kept, in hours. */
export const keptHours = 24;
/** Maximum number of kept answers; the oldest are deleted first. */
const maxKept = 100_000;
const maxForgottenAtOnce = 1000;
const leaseFromNow = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`;

export interface KeptAnswer {
  readonly status: number;
  readonly location: string | null;
  /** The JSON text. */
  readonly body: string;
}

/**
 * Stores the answer in the transaction that creates the resource.
 * @throws {Problem} `conflict` if another request has claimed the key by now.
 */
export type KeepAnswer = (trx: Transaction, answer: KeptAnswer, fingerprint: Buffer) => Promise<void>;

/** The exclusive right to answer under a key. Disposal frees the key unless an answer was stored. */
interface Claim extends AsyncDisposable {
  readonly state: 'claimed';
  readonly keep: KeepAnswer;
}

interface Answered {
  readonly state: 'answered';
  readonly answer: KeptAnswer;
  readonly fingerprint: Buffer;
}

/**
 * Claims a key, or finds the answer stored under it. The key of a dead process can be claimed when its lease has expired.
 * @param id digest of sender, operation and key.
 * @throws {Problem} `conflict` while another request with the key is running.
 */
export async function takeKey(db: Database, id: Buffer): Promise<Claim | Answered> {
  const claim = randomUUID();
  const { rows } = await sql`
    insert into idempotency_keys as kept (id, claim, lease_until) values (${id}, ${claim}, ${leaseFromNow})
    on conflict (id) do update
      set claim = excluded.claim, lease_until = excluded.lease_until, created_at = now(),
        fingerprint = null, status = null, location = null, body = null
      where kept.lease_until < now() or (kept.status is not null and kept.created_at < ${expired})
    returning id`.execute(db);
  return rows.length > 0 ? claimOf(db, id, claim) : await findAnswer(db, id);
}

const expired = sql<Date>`now() - make_interval(hours => ${keptHours})`;

async function findAnswer(db: Database, id: Buffer): Promise<Answered> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['status', 'location', 'body', 'fingerprint'])
    .where('id', '=', id)
    .executeTakeFirst();
  // The row of a request that has just failed is gone: the next attempt may claim the key.
  if (row === undefined || row.status === null || row.body === null || row.fingerprint === null)
    throw keyProblems.underWay();
  const { status, location, body, fingerprint } = row;
  return { state: 'answered', answer: { status, location, body }, fingerprint };
}

function claimOf(db: Database, id: Buffer, claim: string): Claim {
  const change = (by: Database) =>
    by
      .updateTable('idempotency_keys')
      .where('id', '=', id)
      .where('claim', '=', claim)
      .where('status', 'is', null);
  const renew = async () => await change(db).set({ lease_until: leaseFromNow }).execute();
  const renewing = keepRenewing(renewEveryMs, renew).unref();
  return {
    state: 'claimed',
    async keep(trx, answer, fingerprint) {
      const kept = { ...answer, fingerprint, lease_until: null, created_at: sql<Date>`now()` };
      const { numUpdatedRows } = await change(trx).set(kept).executeTakeFirst();
      if (numUpdatedRows !== 1n) throw keyProblems.underWay();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(renewing);
      // A key that cannot be deleted now can be claimed when its lease has expired.
      await db
        .deleteFrom('idempotency_keys')
        .where('id', '=', id)
        .where('claim', '=', claim)
        .where('status', 'is', null)
        .execute()
        .catch(ignore);
    },
  };
}

/**
 * Deletes answers older than a day and the oldest ones beyond `most`, in batches. Any number of workers may do this at once.
 * @returns the number of deleted answers.
 */
export async function forgetKeys(db: Database, most = maxKept): Promise<number> {
  for (let forgotten = 0; ;) {
    const { numAffectedRows } = await sql`delete from idempotency_keys where id in (
      select id from idempotency_keys
      where created_at < ${expired}
        or created_at < (select created_at from idempotency_keys order by created_at desc offset ${most} limit 1)
      order by created_at limit ${maxForgottenAtOnce} for update skip locked)
      and (lease_until is null or lease_until < now())`.execute(db);
    const portion = Number(numAffectedRows ?? 0n);
    forgotten += portion;
    if (portion < maxForgottenAtOnce) return forgotten;
  }
}
