import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { type EventFilter, writePlace } from './event-schema.ts';

/** Retention of events: the maximum age and the maximum number. */
const kept = { days: 7, most: 1_000_000 } as const;

/** A stored event. */
export interface StoredEvent {
  readonly position: number;
  readonly type: string;
  readonly datasetId: string | null;
  readonly runId: string | null;
  readonly groupId: string | null;
  /** `{type, timestamp, data}` as JSON, in one line. */
  readonly text: string;
}

/** The sequence of all events: its name, the last assigned place and the last deleted place. */
export interface EventLog {
  readonly epoch: string;
  readonly last: number;
  readonly forgotten: number;
}

/** Numbers committed events of all processes; all events committed before the call have their place when this resolves. */
export async function orderEvents(db: Database): Promise<void> {
  let moved = 0;
  do {
    const { rows } = await sql<{ moved: number }>`select order_events() as moved`.execute(db);
    moved = rows[0]?.moved ?? 0;
  } while (moved >= 5000);
}

export async function readEventLog(db: Database): Promise<EventLog> {
  return await db.selectFrom('event_log').select(['epoch', 'last', 'forgotten']).executeTakeFirstOrThrow();
}

interface EventRange extends EventFilter {
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly upto?: number;
  readonly most: number;
}

/** Reads events that match, in their order. */
export async function readEvents(db: Database, range: EventRange): Promise<readonly StoredEvent[]> {
  const { after, upto, most, types, dataset_id, group_id, run_id } = range;
  const rows = await db
    .selectFrom('events')
    .select([
      'position',
      'type',
      'dataset_id',
      'run_id',
      'group_id',
      'made_at',
      sql<string>`data::text`.as('data'),
    ])
    .where('position', '>', after)
    .$if(upto !== undefined, (query) => query.where('position', '<=', upto ?? 0))
    .$if(types !== undefined, (query) => query.where('type', '=', sql<string>`any(${types})`))
    .$if(dataset_id !== undefined, (query) => query.where('dataset_id', '=', dataset_id ?? null))
    .$if(group_id !== undefined, (query) => query.where('group_id', '=', group_id ?? null))
    .$if(run_id !== undefined, (query) => query.where('run_id', '=', run_id ?? null))
    .orderBy('position')
    .limit(most)
    .execute();
  return rows.map(
    ({ position, type, dataset_id: datasetId, run_id: runId, group_id: groupId, made_at, data }) => ({
      position,
      type,
      datasetId,
      runId,
      groupId,
      text: `{"type":"${type}","timestamp":"${made_at.toISOString()}","data":${data}}`,
    }),
  );
}

export function isWanted(event: StoredEvent, { types, dataset_id, group_id, run_id }: EventFilter): boolean {
  return (
    (types === undefined || types.includes(event.type)) &&
    (dataset_id === undefined || event.datasetId === dataset_id) &&
    (group_id === undefined || event.groupId === group_id) &&
    (run_id === undefined || event.runId === run_id)
  );
}

/** Returns an event in the format of server-sent events. */
export function asServerSent(epoch: string, { position, type, text }: StoredEvent): string {
  return `id: ${writePlace({ epoch, position })}\nevent: ${type}\ndata: ${text}\n\n`;
}

/** Deletes a batch of old events; returns the number. */
export async function forgetEvents(
  db: Database,
  { days, most }: Readonly<Record<'days' | 'most', number>> = kept,
) {
  const { rows } = await sql<{ gone: number }>`select forget_events(${days}, ${most}) as gone`.execute(db);
  return rows[0]?.gone ?? 0;
}
