import { DefaultLogger, Runtime } from '@temporalio/worker';

/** Where the SDK and its core write what an operator has to know. */
export interface EngineLog {
  info(event: object, message: string): void;
  warn(event: object, message: string): void;
}

let isInstalled = false;

/** Makes the core of the SDK use our log, and leaves signals to us. It can be done once in a process. */
export function installRuntime(log: EngineLog): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ message, meta }) => {
      // What becomes of a step or a workflow we tell ourselves, in words of ours.
      if (meta?.['workflowId'] === undefined && meta?.['taskToken'] === undefined)
        log.warn({ ...meta }, message);
    }),
    shutdownSignals: [],
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
  });
}
