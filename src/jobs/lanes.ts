import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import type { QueueLane } from '../message-queue/message-queue.ts';
import type { JobKind } from './enqueue.ts';
import type { JobHandlers } from './handler.ts';

/** Kinds of jobs that share slots; jobs of different lanes never wait for each other. */
export interface Lane {
  readonly name: QueueLane;
  readonly kinds: readonly string[];
  /** Background kinds, the most urgent first. Other kinds take precedence, and do not wait for a running background job. */
  readonly background: readonly string[];
  /** The number of jobs that one worker runs at once, without jobs that have exceeded its patience. */
  readonly slots: number;
  /** The number of jobs that one worker runs at once, including jobs that have exceeded its patience. */
  readonly mostAtOnce: number;
  /** True when jobs run one after the other, oldest first, across all workers. */
  readonly serial: boolean;
}

const datasetKinds: readonly JobKind[] = [
  'process-dataset',
  'extract-observations',
  'move-inputs',
  'make-layer',
  'count-areas',
  'make-result',
  // Of the release before; see decision 91.
  'make-atlas',
  'make-polygons',
  'make-input',
  'match-table',
  'copy-reference',
];
/** Background work whose results no user waits for, unlike a map or a table. */
const unhurriedKinds: readonly JobKind[] = ['count-pixels', 'make-features'];
const backgroundKinds: readonly JobKind[] = ['make-view', 'zonal-table', ...unhurriedKinds];
const runKinds: readonly JobKind[] = ['run-landscape'];
const webhookKinds: readonly JobKind[] = ['deliver-webhook'];
const webhooksAtOnce = 4;

/**
 * The lanes of a worker with these handlers: `concurrency` slots for datasets, which slow jobs release to others; one slot for runs; and
 * several for webhooks, which spend most of their time waiting.
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

export function laneOf(kind: string): QueueLane {
  if (runKinds.some((each) => each === kind)) return 'runs';
  return webhookKinds.some((each) => each === kind) ? 'webhooks' : 'datasets';
}

/**
 * Selects the handlers of these roles: a worker takes only jobs for which it has a handler. A worker for jobs about datasets also serves
 * webhooks.
 */
export function handlersOfRoles(handlers: JobHandlers, roles: readonly string[]): JobHandlers {
  const roleOf = (kind: string): string => (laneOf(kind) === 'runs' ? 'runs' : 'datasets');
  return Object.fromEntries(Object.entries(handlers).filter(([kind]) => roles.includes(roleOf(kind))));
}

/** The attempts of a worker in a lane: background attempts, and others that have or have not exceeded its patience. */
interface LaneAttempts {
  readonly quick: number;
  readonly background: number;
  readonly slow: number;
}

/** Returns how many more jobs of a lane a worker takes. Background jobs only use slots that have no job. */
export function freeSlots({ slots, mostAtOnce }: Lane, { quick, background, slow }: LaneAttempts) {
  const all = Math.max(0, Math.min(slots - quick, mostAtOnce - quick - background - slow));
  return { all, background: Math.max(0, Math.min(all, slots - quick - background)) };
}

/** Leaves out the handlers of jobs for which a user may wait. */
export function unhurriedHandlers(handlers: JobHandlers): JobHandlers {
  return Object.fromEntries(
    Object.entries(handlers).filter(([kind]) => unhurriedKinds.some((each) => each === kind)),
  );
}

/** Unfinished jobs of a lane. */
export interface LaneLoad {
  readonly lane: QueueLane;
  readonly queued: number;
  readonly running: number;
  /** The longest time for which a due job has not been started, in seconds; 0 without such a job. */
  readonly oldestSeconds: number;
}

/** Counts the unfinished jobs of every lane. @throws the error of the database when it is unavailable. */
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
