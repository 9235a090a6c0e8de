import { sql } from 'kysely';
import type { QueueLane } from '../message-queue/message-queue.ts';
import type { Database } from '../database/tables.ts';
import { laneOf } from './lanes.ts';

/** Jobs of a lane that are not finished. */
export interface LaneLoad {
  readonly lane: QueueLane;
  readonly queued: number;
  readonly running: number;
  /** The longest that one has been due without being begun, in seconds; 0 when none is. */
  readonly oldestSeconds: number;
}

/** Counts the jobs of every lane that are not finished. @throws what the database throws when it is away. */
export async function loadOfLanes(db: Database): Promise<readonly LaneLoad[]> {
  const { rows } = await sql<{ kind: string; state: string; count: number; seconds: number }>`
    select kind, state, count(*)::integer as count,
      coalesce(max(extract(epoch from now() - run_after)) filter (where state = 'queued'), 0)::float8 as seconds
    from jobs where state in ('queued', 'running') group by kind, state`.execute(db);
  return (['datasets', 'runs'] as const).map((lane) => {
    const own = rows.filter(({ kind }) => laneOf(kind) === lane);
    const sum = (wanted: string) =>
      own.filter(({ state }) => state === wanted).reduce((total, { count }) => total + count, 0);
    const oldestSeconds = Math.max(0, ...own.map(({ seconds }) => seconds));
    return { lane, queued: sum('queued'), running: sum('running'), oldestSeconds };
  });
}
