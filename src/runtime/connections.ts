import type { Config } from '../config.ts';

/** A kind of process that uses the database; `tool` is a command that runs beside a service. */
export type Role = 'api' | 'worker' | 'tool';

const apiConnections = 20;
const toolConnections = 4;
/** One for the api and one for the worker. */
const listeningConnections = 2;
/** Reserved for heartbeats, a landscape run and the sweeper. */
const spareWorkerConnections = 4;

type Concurrency = Pick<Config, 'workerConcurrency'>;

/** Returns the maximum number of database connections of a role, without the connection that listens. */
export function maxConnectionsOf(role: Role, { workerConcurrency }: Concurrency): number {
  // One per attempt, and as many for jobs that run beside slow ones.
  if (role === 'worker') return 2 * workerConcurrency + spareWorkerConnections;
  return role === 'api' ? apiConnections : toolConnections;
}

/** Returns the number of connections that a whole service, with a few commands, needs in its own PostgreSQL. */
export function serviceConnections(config: Concurrency): number {
  return apiConnections + maxConnectionsOf('worker', config) + listeningConnections + 3 * toolConnections;
}
