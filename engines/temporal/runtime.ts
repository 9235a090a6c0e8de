import { DefaultLogger, Runtime } from '@temporalio/worker';

/** Receives messages of the SDK and its core for the operator. */
export interface EngineLog {
  info(event: object, message: string): void;
  warn(event: object, message: string): void;
}

let isInstalled = false;

/** Makes the core of the SDK use our log, and leave signals to us. Possible once per process. */
export function installRuntime(log: EngineLog): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ message, meta }) => {
      // The outcomes of steps and workflows are logged by the service itself.
      if (meta?.['workflowId'] === undefined && meta?.['taskToken'] === undefined)
        log.warn({ ...meta }, message);
    }),
    shutdownSignals: [],
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
  });
}
