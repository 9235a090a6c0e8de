import type { Config } from '../config.ts';

/** A kind of process that works with the database; `tool` is a command that is run beside a service. */
export type Role = 'api' | 'worker' | 'tool';

const apiConnections = 20;
const toolConnections = 4;
/** One each of the api and the worker. */
const listeningConnections = 2;
/** Kept for heartbeats, a landscape run and the sweeper. */
const spareWorkerConnections = 4;

type Concurrency = Pick<Config, 'workerConcurrency'>;

/** Returns how many connections to the database a role keeps at most, beside the one on which it listens. */
export function maxConnectionsOf(role: Role, { workerConcurrency }: Concurrency): number {
  // One for each attempt, and slow ones let as many others run beside them.
  if (role === 'worker') return 2 * workerConcurrency + spareWorkerConnections;
  return role === 'api' ? apiConnections : toolConnections;
}

/** Returns what a whole service and a few commands beside it need of its own PostgreSQL. */
export function serviceConnections(config: Concurrency): number {
  return apiConnections + maxConnectionsOf('worker', config) + listeningConnections + 3 * toolConnections;
}
