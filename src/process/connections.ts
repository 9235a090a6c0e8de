import type { Config } from '../config.ts';

/** How many connections to the database an api keeps at most, beside the one on which it listens. */
export const apiConnections = 20;
/** The same for a command that is run beside a service. */
export const commandConnections = 4;
const listening = 2;
/** For heartbeats, a landscape run and the sweeper. */
const spareWorkerConnections = 4;

/** The same for a worker: one for each attempt, and slow ones let as many others run beside them. */
export function workerConnections({ workerConcurrency }: Pick<Config, 'workerConcurrency'>): number {
  return 2 * workerConcurrency + spareWorkerConnections;
}

/** What a whole service and a few commands beside it need of its own PostgreSQL. */
export function serviceConnections(config: Pick<Config, 'workerConcurrency'>): number {
  return apiConnections + workerConnections(config) + listening + 3 * commandConnections;
}
