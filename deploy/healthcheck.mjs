// Ends with 0 when the process of this container does its work: a worker answers for its metrics, any other at /healthz.
// An api has metrics as well, which say nothing about whether it still takes requests.
import { readFileSync } from 'node:fs';

const { HTTP_PORT: http, METRICS_PORT: metrics } = process.env;

/** The command of the first process, such as `tini -- steppe worker`, unless an argument names the role. */
function isWorker() {
  if (process.argv[2] !== undefined) return process.argv[2] === 'worker';
  const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
  return words[words.findLastIndex((word) => /(?:^|\/)(?:steppe|main\.ts)$/.test(word)) + 1] === 'worker';
}

const address = isWorker() ? `${metrics || 9464}/metrics` : `${http || 8080}/healthz`;
const answer = await fetch(`http://127.0.0.1:${address}`, { signal: AbortSignal.timeout(5000) }).catch(
  () => undefined,
);
process.exit(answer?.ok === true ? 0 : 1);
