import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import type { QueueLane } from '../message-queue/message-queue.ts';
import type { JobKind } from './enqueue.ts';
import type { JobHandlers } from './handler.ts';

/** Kinds of jobs that share slots; jobs of different lanes never wait for each other. */
export interface Lane {
  readonly name: QueueLane;
  readonly kinds: readonly string[];
  /** Kinds that people rarely wait for, the more urgent first: the others come before them, and do not wait for one that runs. */
  readonly background: readonly string[];
  /** Jobs that one worker runs at once, beside those that have lost its patience. */
  readonly slots: number;
  /** The same, including those. */
  readonly mostAtOnce: number;
  /** True when its jobs run one after the other, oldest first, over all workers together. */
  readonly serial: boolean;
}

const datasetKinds: readonly JobKind[] = [
  'process-dataset',
  'extract-observations',
  'move-inputs',
  'make-layer',
  'count-areas',
  'make-atlas',
  'make-polygons',
  'match-table',
];
/** Work in the background whose results no user waits for, unlike a map or a table. */
const unhurriedKinds: readonly JobKind[] = ['count-pixels', 'make-features'];
const backgroundKinds: readonly JobKind[] = ['make-view', 'zonal-table', ...unhurriedKinds];
const runKinds: readonly JobKind[] = ['run-landscape'];
const webhookKinds: readonly JobKind[] = ['deliver-webhook'];
const webhooksAtOnce = 4;

/**
 * The lanes of a worker with these handlers: `concurrency` slots for datasets, which slow ones give up to others, one beside them for
 * runs, and some for webhooks, which wait for others most of the time.
 */
export function lanesFor(handlers: JobHandlers, concurrency: number): readonly Lane[] {
  const handled = (kinds: readonly JobKind[]) => kinds.filter((kind) => Object.hasOwn(handlers, kind));
  const lanes: readonly Lane[] = [
    {
      name: 'datasets',
      kinds: handled(datasetKinds),
      background: handled(backgroundKinds),
      slots: concurrency,
      mostAtOnce: 2 * concurrency,
      serial: false,
    },
    { name: 'runs', kinds: handled(runKinds), background: [], slots: 1, mostAtOnce: 1, serial: true },
    {
      name: 'webhooks',
      kinds: handled(webhookKinds),
      background: [],
      slots: webhooksAtOnce,
      mostAtOnce: 2 * webhooksAtOnce,
      serial: false,
    },
  ];
  return lanes.filter(({ kinds, background }) => kinds.length + background.length > 0);
}

/** Returns the lane of a kind of job. */
export function laneOf(kind: string): QueueLane {
  if (runKinds.some((each) => each === kind)) return 'runs';
  return webhookKinds.some((each) => each === kind) ? 'webhooks' : 'datasets';
}

/** Leaves out handlers of other roles: a worker takes no jobs for which it has none. Who takes jobs about datasets serves webhooks as well. */
export function handlersOfRoles(handlers: JobHandlers, roles: readonly string[]): JobHandlers {
  const roleOf = (kind: string): string => (laneOf(kind) === 'runs' ? 'runs' : 'datasets');
  return Object.fromEntries(Object.entries(handlers).filter(([kind]) => roles.includes(roleOf(kind))));
}

/** The attempts of a worker in a lane: those in the background, and of the others those that have lost its patience and those that have not. */
interface LaneAttempts {
  readonly quick: number;
  readonly background: number;
  readonly slow: number;
}

/** Returns how many more jobs of a lane a worker takes, in the background no more than there are slots without any job. */
export function freeSlots({ slots, mostAtOnce }: Lane, { quick, background, slow }: LaneAttempts) {
  const all = Math.max(0, Math.min(slots - quick, mostAtOnce - quick - background - slow));
  return { all, background: Math.max(0, Math.min(all, slots - quick - background)) };
}

/** Leaves out handlers of jobs that a user may wait for. */
export function unhurriedHandlers(handlers: JobHandlers): JobHandlers {
  return Object.fromEntries(
    Object.entries(handlers).filter(([kind]) => unhurriedKinds.some((each) => each === kind)),
  );
}

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
  return (['datasets', 'runs', 'webhooks'] as const).map((lane) => {
    const own = rows.filter(({ kind }) => laneOf(kind) === lane);
    const sum = (wanted: string) =>
      own.filter(({ state }) => state === wanted).reduce((total, { count }) => total + count, 0);
    const oldestSeconds = Math.max(0, ...own.map(({ seconds }) => seconds));
    return { lane, queued: sum('queued'), running: sum('running'), oldestSeconds };
  });
}
