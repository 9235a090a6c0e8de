import { Gauge } from 'prom-client';
import { registry } from './instruments.ts';

/** Gauges that are read on request, with their labels. */
const known = {
  steppe_jobs: { help: 'Jobs that are not finished', labelNames: ['lane', 'state'] },
  steppe_job_age_seconds: {
    help: 'The longest that a job has been due without being begun',
    labelNames: ['lane'],
  },
  steppe_pool: { help: 'Connections to the database, and requests that wait for one', labelNames: ['state'] },
  steppe_run_blocks: { help: 'Blocks of runs that are spread over workers', labelNames: ['state'] },
  steppe_workflow_engine_away_seconds: {
    help: 'How long the workflow engine has not answered the worker that holds a run; 0 while it answers, or no run needs it',
    labelNames: [],
  },
  steppe_scratch_bytes: { help: 'Sizes of all files in scratch folders of this worker', labelNames: [] },
  steppe_waiters: { help: 'Requests that wait for the status of a dataset', labelNames: [] },
} as const;

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Adds a gauge that is read at each scrape. If reading fails, that answer omits it.
 * @returns a function that removes the gauge.
 */
export function addGauge(
  name: keyof typeof known,
  look: () => readonly Sample[] | Promise<readonly Sample[]>,
): () => void {
  const { help, labelNames } = known[name];
  const gauge = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [],
    async collect() {
      this.reset();
      for (const { labels = {}, value } of await Promise.try(look).catch(() => [])) this.set(labels, value);
    },
  });
  registry.registerMetric(gauge);
  return () => registry.removeSingleMetric(name);
}
