import type { Logger } from 'pino';

const parentCheckMilliseconds = 500;

/**
 * Aborts, once, when this process is asked to end: by a signal, or by the death of the npm that started it (npm passes
 * on SIGTERM, but cannot pass on its own SIGKILL). Asking again changes nothing.
 * @param npm its process id; undefined when it is not our parent.
 */
export function shutdownRequested(log: Logger, npm: number | undefined): AbortSignal {
  const request = new AbortController();
  const ask = (reason: string) => {
    if (request.signal.aborted) return;
    log.info({ reason }, 'shutting down');
    request.abort(new Error(reason));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => ask(signal));
  if (npm !== undefined) {
    setInterval(() => {
      if (process.ppid !== npm) ask('npm has ended');
    }, parentCheckMilliseconds).unref();
  }
  return request.signal;
}
