import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type Page, readPage, type Slice } from '../database/page.ts';
import type { Database, Transaction } from '../database/tables/tables.ts';
import { inTransaction, nextUpdatedAt } from '../database/transaction.ts';
import { orderEvents } from '../events/event-log.ts';
import { cancelJobs, enqueueUnlessLive, type JobKind } from '../jobs/enqueue.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { webhookFaults, webhookProblems } from '../messages/standards/english.ts';
import { parseBody } from '../validation/parse-body.ts';
import type { WebhookSender } from './send.ts';
import {
  toDelivery,
  toWebhook,
  type Webhook,
  type WebhookDelivery,
  WebhookInput,
  WebhookPatch,
  WebhookSecretInput,
} from './webhook-schema.ts';

const mostWebhooks = 100;
const mostPendingTests = 10;
const mostEarlierSecrets = 5;
const secretBytes = 32;
const lock = 5_738_266_004;
const deliverWebhook = 'deliver-webhook' satisfies JobKind;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly webhookSender: Pick<WebhookSender, 'mayTry'>;
}

/**
 * Creates a webhook for future events. Its secret is returned only here.
 * @throws {Problem} `invalid`; `conflict` when there are a hundred.
 */
export async function createWebhook({ db, webhookSender }: Dependencies, body: unknown) {
  const { types, ...input } = checked(WebhookInput, body, webhookSender);
  const secret = randomBytes(secretBytes);
  await orderEvents(db); // earlier events are not sent
  const row = await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(trx);
    const { count } = await trx
      .selectFrom('webhooks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count >= mostWebhooks) throw webhookProblems.tooMany(mostWebhooks);
    const { epoch, last: position } = await trx
      .selectFrom('event_log')
      .select(['epoch', 'last'])
      .executeTakeFirstOrThrow();
    const values = { id: randomUUID(), ...input, types: distinct(types), secret, epoch, position };
    return await trx.insertInto('webhooks').values(values).returningAll().executeTakeFirstOrThrow();
  });
  return { ...toWebhook(row), secret: textOf(secret) };
}

const textOf = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/**
 * Creates a new secret for a webhook and returns it only here. For the hours in the body, messages are also signed by the previous
 * secret: a receiver can verify with it even if the answer is lost and the secret is changed again.
 * @throws {Problem} `not_found`, `invalid`; `conflict` while five earlier secrets are in use.
 */
export async function renewSecret({ db }: Pick<Dependencies, 'db'>, id: string, body: unknown) {
  await getWebhook(db, id);
  const { keep_hours: keepHours } = parseBody(WebhookSecretInput, body ?? {});
  const secret = randomBytes(secretBytes);
  const { row, until } = await inTransaction(db, async (trx) => {
    const before = await trx
      .selectFrom('webhooks')
      .select('secret')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) throw webhookProblems.notFound();
    const isEnded = keepHours === 0 ? sql<boolean>`true` : sql<boolean>`until <= now()`;
    await trx.deleteFrom('webhook_secrets').where('webhook_id', '=', id).where(isEnded).execute();
    if (keepHours > 0) await keepEarlier(trx, { id, secret: before.secret, keepHours });
    const earlier = await trx
      .selectFrom('webhook_secrets')
      .select((eb) => eb.fn.max('until').as('until'))
      .where('webhook_id', '=', id)
      .executeTakeFirst();
    // A worker that is about to send reads the secrets again.
    const changed = await trx
      .updateTable('webhooks')
      .set({ secret, updated_at: nextUpdatedAt })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row: changed, until: earlier?.until ?? null };
  });
  return {
    ...toWebhook(row),
    secret: textOf(secret),
    earlier_secrets_until: until === null ? null : until.toISOString(),
  };
}

interface Earlier {
  readonly id: string;
  readonly secret: Buffer;
  readonly keepHours: number;
}

async function keepEarlier(trx: Transaction, { id, secret, keepHours }: Earlier): Promise<void> {
  const { count } = await trx
    .selectFrom('webhook_secrets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhook_id', '=', id)
    .executeTakeFirstOrThrow();
  if (count >= mostEarlierSecrets) throw webhookProblems.tooManySecrets(mostEarlierSecrets);
  const until = sql<Date>`now() + make_interval(hours => ${keepHours})`;
  await trx.insertInto('webhook_secrets').values({ webhook_id: id, secret, until }).execute();
}

export async function listWebhooks(db: Database, window: Slice): Promise<Page<Webhook>> {
  const ordered = db.selectFrom('webhooks').selectAll().orderBy('created_at', 'desc').orderBy('id');
  return await readPage(ordered, window, toWebhook);
}

/** Reads a webhook. @throws {Problem} `not_found` */
export async function getWebhook(db: Database, id: string): Promise<Webhook> {
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw webhookProblems.notFound();
  return toWebhook(row);
}

/** Changes the fields in `body`; `on` continues after the last accepted message. @throws {Problem} `not_found` or `invalid` */
export async function patchWebhook(
  { db, messageQueue, webhookSender }: Dependencies,
  id: string,
  body: object,
) {
  await getWebhook(db, id);
  const known = Object.keys(WebhookPatch.shape);
  if (!known.some((name) => Object.hasOwn(body, name))) throw webhookProblems.nothingToChange(known);
  const { types, state, ...changes } = checked(WebhookPatch, body, webhookSender);
  const begins = { state: 'on', reason: null, failing_since: null, attempts: 0 } as const;
  const row = await inTransaction(db, async (trx) => {
    const changed = await trx
      .updateTable('webhooks')
      .set({
        ...changes,
        ...(types === undefined ? {} : { types: distinct(types) }),
        ...(state === undefined ? {} : state === 'on' ? begins : { state, reason: null }),
        updated_at: nextUpdatedAt,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    // A message that waits for its next attempt is sent at once with the changes.
    if (changed !== undefined) await dueNow(trx, id);
    return changed;
  });
  if (row === undefined) throw webhookProblems.notFound();
  await orderEvents(db); // enqueues a job if there are messages to send
  await messageQueue.notify('', 'webhooks');
  return toWebhook(row);
}

/** Deletes a webhook. @throws {Problem} `not_found` */
export async function deleteWebhook(db: Database, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) throw webhookProblems.notFound();
    await cancelJobs(trx, id);
  });
}

/** Lists the outcomes of the latest messages, the newest first. @throws {Problem} `not_found` */
export async function listDeliveries(
  db: Database,
  id: string,
  window: Slice,
): Promise<Page<WebhookDelivery>> {
  await getWebhook(db, id);
  const ordered = db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', id)
    .orderBy('id', 'desc');
  return await readPage(ordered, window, toDelivery);
}

/**
 * Requests one test message, which a worker sends even while the webhook is off.
 * @throws {Problem} `not_found`; `conflict` while ten wait.
 */
export async function sendTest({ db, messageQueue }: Dependencies, id: string): Promise<WebhookDelivery> {
  await getWebhook(db, id);
  const { job, row } = await inTransaction(db, async (trx) => {
    const webhook = await trx
      .selectFrom('webhooks')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (webhook === undefined) throw webhookProblems.notFound();
    const { count } = await trx
      .selectFrom('webhook_deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('webhook_id', '=', id)
      .where('state', '=', 'pending')
      .where('type', '=', 'webhook.test')
      .executeTakeFirstOrThrow();
    if (count >= mostPendingTests) throw webhookProblems.testsWait(count);
    const values = {
      webhook_id: id,
      message_id: `test_${randomUUID()}`,
      type: 'webhook.test',
      state: 'pending',
    } as const;
    const made = await trx
      .insertInto('webhook_deliveries')
      .values(values)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row: made, job: await dueNow(trx, id) };
  });
  await messageQueue.notify(job, 'webhooks');
  return toDelivery(row);
}

/** Makes the job of a webhook due, or enqueues one; returns its id. */
async function dueNow(trx: Transaction, id: string): Promise<string> {
  for (;;) {
    const live = await trx
      .updateTable('jobs')
      .set({ run_after: sql<Date>`least(run_after, now())` })
      .where('ref_id', '=', id)
      .where('kind', '=', deliverWebhook)
      .where('state', 'in', ['queued', 'running'])
      .returning('id')
      .executeTakeFirst();
    // The ordering of events enqueues jobs, too, and does not lock webhooks.
    const jobId = live?.id ?? (await enqueueUnlessLive(trx, deliverWebhook, id));
    if (jobId !== undefined) return jobId;
  }
}

/** Removes duplicates; null stands for all types. */
const distinct = (types: readonly string[] | null): string[] | null =>
  types === null ? null : [...new Set(types)];

function checked<T extends z.ZodType<{ readonly url?: string | undefined }>>(
  schema: T,
  body: unknown,
  sender: Pick<WebhookSender, 'mayTry'>,
): z.output<T> {
  const { url: sent }: { url?: unknown } = Object(body);
  const url = typeof sent === 'string' ? URL.parse(sent) : null;
  return parseBody(schema, body, (own) =>
    url !== null && !sender.mayTry(url) && own['url'] === undefined
      ? { ...own, url: webhookFaults.privateUrl }
      : own,
  );
}
