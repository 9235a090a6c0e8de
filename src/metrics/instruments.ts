import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { MiB } from '../lib/units.ts';

/** All metrics of this process. docs/operations.md lists names and labels; no label has an id as its value. */
export const registry = new Registry();
const registers = [registry];

/** Upper bounds in seconds: slow requests take more than a second, and the longest polls 60. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const attemptBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
const nodeBuckets = [0.001, 0.01, 0.1, 1, 10, 60, 300];
/** In bytes: an idle child has about 100 MiB. */
const memoryBuckets = [128, 256, 512, 1024, 2048, 4096].map((size) => size * MiB);

export const httpRequests = new Counter({
  name: 'steppe_http_requests_total',
  help: 'Answers, by the template of the route; probes are not among them',
  labelNames: ['route', 'method', 'status'],
  registers,
});

export const httpSeconds = new Histogram({
  name: 'steppe_http_seconds',
  help: 'From the first byte of a request to the last of its answer',
  labelNames: ['route', 'method'],
  buckets: requestBuckets,
  registers,
});

export const attempts = new Counter({
  name: 'steppe_attempts_total',
  help: 'Attempts at jobs that have ended',
  labelNames: ['kind', 'ending'],
  registers,
});

export const attemptSeconds = new Histogram({
  name: 'steppe_attempt_seconds',
  help: 'Duration of attempts at jobs',
  labelNames: ['kind'],
  buckets: attemptBuckets,
  registers,
});

export const leasesLost = new Counter({
  name: 'steppe_leases_lost_total',
  help: 'Attempts whose job another worker has taken over',
  registers,
});

export const wakeUps = new Counter({
  name: 'steppe_wake_ups_total',
  help: 'Wake-ups for waiting jobs over the message queue, sent (heard="no") and received (heard="yes")',
  labelNames: ['lane', 'heard'],
  registers,
});

export const listenerUnhealthy = new Gauge({
  name: 'steppe_listener_unhealthy',
  help: '1 while the listening connection receives no notifications of the database',
  registers,
});

export const storeSeconds = new Histogram({
  name: 'steppe_store_seconds',
  help: 'Duration of calls of the object store; of a read, until its body begins',
  labelNames: ['op'],
  buckets: requestBuckets,
  registers,
});

export const storeErrors = new Counter({
  name: 'steppe_store_errors_total',
  help: 'Calls of the object store that failed',
  labelNames: ['op'],
  registers,
});

export const engineChildren = new Gauge({
  name: 'steppe_engine_children',
  help: 'Processes of the geo engine that run',
  registers,
});

export const engineEnds = new Counter({
  name: 'steppe_engine_ends_total',
  help: 'Processes of the geo engine that have ended: answered, overdue, died, aborted',
  labelNames: ['how'],
  registers,
});

export const enginePeak = new Histogram({
  name: 'steppe_engine_peak_bytes',
  help: 'The most memory that a process of the geo engine had, as it says itself',
  buckets: memoryBuckets,
  registers,
});

export const nodeSeconds = new Histogram({
  name: 'steppe_node_seconds',
  help: 'Duration of computing a node of the landscape graph in a share of a run, without reading and writing',
  labelNames: ['node'],
  buckets: nodeBuckets,
  registers,
});

export const steps = new Counter({
  name: 'steppe_steps_total',
  help: 'Steps of runs over several workers that have ended here: done, failed, again, dropped',
  labelNames: ['step', 'ending'],
  registers,
});

export const stepSeconds = new Histogram({
  name: 'steppe_step_seconds',
  help: 'Duration of steps of runs over several workers that are done',
  labelNames: ['step'],
  buckets: attemptBuckets,
  registers,
});
