import { type Selectable, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Tables, Transaction } from '../database/tables/tables.ts';
import { readEventLog, readEvents } from '../events/event-log.ts';
import { writePlace } from '../events/event-schema.ts';
import type { Attempt, JobHandler } from '../jobs/handler.ts';
import type { SendResult, WebhookMessage, WebhookSender } from './send.ts';
import type { Listener } from '../database/listener.ts';

/** The time after which a webhook gives way to others. */
const turnMs = 20_000;
const pageSize = 50;
/** The number of attempts after which a message with failing answers is given up; without any answer, the whole webhook waits. */
const mostRefusals = 8;
const pausesSeconds = [5, 30, 120, 600, 1800, 3600, 7200] as const;
const disabledAfterDays = 5;
const keptDeliveries = 100;

type WebhookRow = Selectable<Tables['webhooks']>;

interface Dependencies {
  readonly db: Database;
  readonly webhookSender: Pick<WebhookSender, 'send'>;
  /** Pauses before each further attempt, in seconds; the last one is repeated. */
  readonly pauses?: readonly number[];
}

/** A message that is due. */
interface Due extends WebhookMessage {
  readonly type: string;
  /** The position of the event; undefined for a test. */
  readonly position: number | undefined;
}

/**
 * Sends the outstanding messages of one webhook in order, one after the other. A message is recorded as accepted after its answer: if the
 * worker dies in between, the message is sent again with the same id.
 */
export function createWebhookHandler({
  db,
  webhookSender,
  pauses = pausesSeconds,
}: Dependencies): JobHandler {
  return {
    async run(attempt) {
      const until = performance.now() + turnMs;
      for (;;) {
        const webhook = await readWebhook(db, attempt.refId);
        if (webhook === undefined) return;
        const due = await findDue(attempt, webhook);
        if (due === undefined) return;
        for (const message of due) {
          if (performance.now() > until) return await attempt.postpone(0);
          const secrets = [webhook.secret, ...(await readEarlierSecrets(db, webhook.id))];
          const result = await webhookSender.send({ ...webhook, secrets }, message, attempt.signal);
          const { pauseSeconds, isAsBefore } = await record(attempt, { webhook, message, result, pauses });
          if (pauseSeconds !== undefined) return await attempt.postpone(pauseSeconds);
          if (!isAsBefore) break; // the webhook was changed meanwhile
          webhook.attempts = 0;
        }
      }
    },
    async fail() {}, // the next event enqueues the job again
  };

  /** Returns the messages to send; undefined when there are none and the job is done. */
  async function findDue(attempt: Attempt, webhook: WebhookRow): Promise<readonly Due[] | undefined> {
    const test = await pendingTests(db, webhook.id)
      .select(['message_id', 'type', 'created_at'])
      .orderBy('id')
      .executeTakeFirst();
    if (test !== undefined) {
      const body = {
        type: test.type,
        timestamp: test.created_at.toISOString(),
        data: { webhook_id: webhook.id },
      };
      return [{ id: test.message_id, type: test.type, body: JSON.stringify(body), position: undefined }];
    }
    if (webhook.state !== 'on') {
      await finish(attempt, webhook);
      return undefined;
    }
    // Reads the end of the log first: all events up to it can be read afterwards.
    const { epoch, last, forgotten } = await readEventLog(db);
    const after = epoch === webhook.epoch ? Math.max(webhook.position, forgotten) : last;
    const { types, dataset_id, group_id, run_id } = webhook;
    const filter = {
      types: types ?? undefined,
      dataset_id: dataset_id ?? undefined,
      group_id: group_id ?? undefined,
      run_id: run_id ?? undefined,
    };
    const events = await readEvents(db, { ...filter, after, upto: last, most: pageSize });
    if (events.length > 0) {
      return events.map(({ position, type, text }) => ({
        id: `evt_${writePlace({ epoch, position })}`,
        type,
        body: text,
        position,
      }));
    }
    await finish(attempt, webhook, { epoch, position: last });
    return undefined;
  }
}

/** There are more messages to send. */
class NotYet extends Error {
  override readonly name = 'NotYet';
}

/**
 * Ends the job when nothing is left to send. Changes of a webhook and tests lock its row, and the ordering of events locks the log, so
 * they find either a job that has not finished, or none.
 */
async function finish(attempt: Attempt, webhook: WebhookRow, place?: Place): Promise<void> {
  const isAtEnd = async (trx: Transaction): Promise<void> => {
    const now = await trx
      .selectFrom('webhooks')
      .select('updated_at')
      .where('id', '=', webhook.id)
      .forUpdate()
      .executeTakeFirst();
    if (now === undefined) return;
    // A separate statement, because the previous one does not see requests made while it waited for the lock.
    const test = await pendingTests(trx, webhook.id).select('id').executeTakeFirst();
    if (now.updated_at.getTime() !== webhook.updated_at.getTime() || test !== undefined) throw new NotYet();
    if (place === undefined) return;
    const { last } = await trx.selectFrom('event_log').select('last').forUpdate().executeTakeFirstOrThrow();
    if (last > place.position) throw new NotYet();
    await moveOn(trx, webhook, place);
  };
  await attempt.publish(isAtEnd).catch(async (error: unknown) => {
    if (!(error instanceof NotYet)) throw error;
    await attempt.postpone(0);
  });
}

const pendingTests = (db: Database, webhookId: string) =>
  db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('type', '=', 'webhook.test')
    .where('state', '=', 'pending');

async function readWebhook(db: Database, id: string): Promise<WebhookRow | undefined> {
  return await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the secrets that receivers may still verify with, the newest first. */
async function readEarlierSecrets(db: Database, id: string): Promise<readonly Buffer[]> {
  const rows = await db
    .selectFrom('webhook_secrets')
    .select('secret')
    .where('webhook_id', '=', id)
    .where('until', '>', sql<Date>`now()`)
    .orderBy('until', 'desc')
    .execute();
  return rows.map(({ secret }) => secret);
}

async function moveOn(trx: Transaction, { id }: WebhookRow, place: Place): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ ...place, attempts: 0 })
    .where('id', '=', id)
    .execute();
}

interface Place {
  readonly epoch: string;
  readonly position: number;
}

interface Recorded {
  readonly pauseSeconds: number | undefined;
  /** False when the webhook has changed since it was read. */
  readonly isAsBefore: boolean;
}

interface Sent {
  readonly webhook: WebhookRow;
  readonly message: Due;
  readonly result: SendResult;
  readonly pauses: readonly number[];
}

/** Records the outcome of a message; returns the seconds until its next attempt, undefined when the next message may follow at once. */
async function record(attempt: Attempt, { webhook, message, result, pauses }: Sent): Promise<Recorded> {
  const { status, error } = result;
  const isTaken = status !== null && status >= 200 && status < 300;
  const attempts = message.position === undefined ? 1 : webhook.attempts + 1;
  const isGivenUp =
    !isTaken && (message.position === undefined || (status !== null && attempts >= mostRefusals));
  const state = isTaken ? 'delivered' : isGivenUp ? 'failed' : 'pending';
  return await attempt.fenced(async (trx) => {
    if (message.position !== undefined) {
      const epoch = message.id.slice('evt_'.length).split('-')[0] ?? '';
      if (state === 'pending')
        await trx.updateTable('webhooks').set({ attempts }).where('id', '=', webhook.id).execute();
      else await moveOn(trx, webhook, { epoch, position: message.position });
      await keepState(trx, webhook.id, { isTaken, isGone: status === 410 });
    }
    await keepDelivery(trx, webhook.id, { message, state, attempts, status, error });
    const { updated_at: updatedAt } = await trx
      .selectFrom('webhooks')
      .select('updated_at')
      .where('id', '=', webhook.id)
      .executeTakeFirstOrThrow();
    const isAsBefore = updatedAt.getTime() === webhook.updated_at.getTime();
    if (state !== 'pending') return { pauseSeconds: undefined, isAsBefore };
    const asked = result.status === null ? 0 : result.retryAfterSeconds;
    const usual = pauses[Math.min(attempts, pauses.length) - 1] ?? 0;
    const spread = 0.8 + 0.4 * Math.random(); // spread, so that webhooks that failed together do not retry together
    return { pauseSeconds: Math.max(asked, usual * spread), isAsBefore };
  });
}

/** Records since when no message was accepted, and disables a webhook that is gone or has failed for days. */
async function keepState(
  trx: Transaction,
  id: string,
  { isTaken, isGone }: { isTaken: boolean; isGone: boolean },
) {
  const own = trx.updateTable('webhooks').where('id', '=', id);
  if (isTaken) {
    await own.set({ failing_since: null }).where('failing_since', 'is not', null).execute();
    return;
  }
  await own.set({ failing_since: sql<Date>`coalesce(failing_since, now())` }).execute();
  const disabled = own.set({
    state: 'disabled',
    reason: isGone ? 'gone' : 'failing',
    updated_at: sql<Date>`now()`,
  });
  const hasFailed = sql<boolean>`failing_since < now() - make_interval(days => ${disabledAfterDays})`;
  await disabled
    .where('state', '=', 'on')
    .where(isGone ? sql<boolean>`true` : hasFailed)
    .execute();
}

interface Kept {
  readonly message: Due;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
}

async function keepDelivery(trx: Transaction, webhookId: string, { message, ...facts }: Kept): Promise<void> {
  const attempted = { ...facts, attempted_at: sql<Date>`now()` };
  await trx
    .insertInto('webhook_deliveries')
    .values({ webhook_id: webhookId, message_id: message.id, type: message.type, ...attempted })
    .onConflict((conflict) => conflict.constraint('webhook_deliveries_once').doUpdateSet(attempted))
    .execute();
  await sql`delete from webhook_deliveries where webhook_id = ${webhookId} and id <= (
    select id from webhook_deliveries where webhook_id = ${webhookId} order by id desc offset ${keptDeliveries} limit 1)`.execute(
    trx,
  );
}

const atMostEveryMs = 100;

/**
 * Enqueues jobs for webhooks soon after an event, if there are webhooks. Notifications of the database may be lost: the leading worker
 * orders events every few seconds.
 */
export function enqueueDeliveries(
  { db, listener }: { readonly db: Database; readonly listener: Listener },
  log: Pick<Logger, 'warn'>,
) {
  let waiting: NodeJS.Timeout | undefined;
  const order = async (): Promise<void> => {
    await sql`select order_events() where exists (select from webhooks where state = 'on')`.execute(db);
  };
  const orderSoon = (): void => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      order().catch((err: unknown) => log.warn({ err }, 'events could not be ordered, to be tried again'));
    }, atMostEveryMs);
  };
  const subscription = listener.subscribe('event_news', orderSoon, orderSoon);
  return {
    async close(): Promise<void> {
      clearTimeout(waiting);
      await subscription.close();
    },
  };
}
