import { ApplicationFailure, Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import { toStepFailure } from '../../src/landscape/spread/failures.ts';
import type { StepWorker, WorkerSteps } from '../../src/landscape/spread/workflow-engine.ts';
import { messageOf } from '../../src/lib/error-facts.ts';
import { pause } from '../../src/lib/concurrency/promises.ts';
import { workflowBundlePath } from './bundle.ts';
import type { ConnectionOptions } from './connection.ts';
import { ensureNamespace } from './namespace.ts';
import { type EngineLog, installRuntime } from './runtime.ts';

const heartbeatEveryMs = 2000;
const againAfterMs = 1000;

interface Service {
  readonly queue: string;
  readonly steps: WorkerSteps;
  readonly slots: number;
  readonly connection: ConnectionOptions;
  readonly namespace: string;
  readonly log: EngineLog;
}

/** Executes steps of a queue until it is closed. It waits while the server is unavailable. */
export function serveSteps(service: Service): StepWorker {
  const { log } = service;
  installRuntime(log);
  const closing = new AbortController();
  const serving = (async () => {
    for (let isHeard = false; !closing.signal.aborted;) {
      await serveOnce(service, closing.signal).catch((err: unknown) => {
        if (!isHeard) log.warn({ err }, 'the workflow engine is not reached; the worker goes on trying');
        isHeard = true;
      });
      await pause(againAfterMs, closing.signal);
    }
  })();
  return {
    async close() {
      closing.abort();
      await serving;
    },
  };
}

async function serveOnce(
  { queue, steps, slots, connection: options, namespace, log }: Service,
  signal: AbortSignal,
): Promise<void> {
  const connection = await NativeConnection.connect(options);
  try {
    await ensureNamespace(connection, namespace);
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue: queue,
      workflowBundle: { codePath: workflowBundlePath },
      activities: {
        computeBlock: activity('computeBlock', steps.computeBlock, log),
        judgePixels: activity('judgePixels', steps.judgePixels, log),
        publishOutputs: activity('publishOutputs', steps.publishOutputs, log),
      },
      maxConcurrentActivityTaskExecutions: slots,
      maxCachedWorkflows: 10,
      workflowThreadPoolSize: 1,
      // With the default throttling, a cancellation could arrive up to a minute late.
      maxHeartbeatThrottleInterval: heartbeatEveryMs,
      defaultHeartbeatThrottleInterval: heartbeatEveryMs,
      shutdownGraceTime: 0,
      shutdownForceTime: '2s',
    });
    const stop = (): void => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    };
    signal.addEventListener('abort', stop, { once: true });
    const running = worker.run();
    if (signal.aborted) stop();
    await running.finally(() => signal.removeEventListener('abort', stop));
  } finally {
    await connection.close();
  }
}

/** Makes an activity of a step: it sends heartbeats, and marks failures that must not be retried. */
function activity<Input>(
  name: string,
  step: (input: Input, call: { readonly signal: AbortSignal }) => Promise<void>,
  log: EngineLog,
) {
  return async (input: Input): Promise<void> => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    const beating = setInterval(() => context.heartbeat(), heartbeatEveryMs);
    try {
      await step(input, { signal });
    } catch (error) {
      if (signal.aborted) throw handedBack(signal) ?? signal.reason;
      const { attempt } = context.info;
      const failure = toStepFailure(error, attempt);
      if (failure === undefined) {
        log.warn({ err: error, step: name, input, attempt }, 'a step of a run failed');
        throw ApplicationFailure.retryable(messageOf(error), error instanceof Error ? error.name : 'Error');
      }
      throw ApplicationFailure.nonRetryable(failure.message, failure.type, failure.details);
    } finally {
      clearInterval(beating);
    }
  };
}

/** Returns the failure that lets another worker take a step at once, when this worker stops; undefined for a cancelled step. */
function handedBack({ reason }: AbortSignal): Error | undefined {
  if (!(reason instanceof Error) || reason.message !== 'WORKER_SHUTDOWN') return undefined;
  return ApplicationFailure.create({
    message: 'the worker shuts down',
    type: 'HandedBack',
    nextRetryDelay: '10ms',
  });
}
