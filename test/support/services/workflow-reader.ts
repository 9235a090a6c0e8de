import { setTimeout as sleep } from 'node:timers/promises';

/** HTTP interface of a Temporal server. */
interface Server {
  readonly web: string;
}

/** A step of a workflow that a worker has begun. */
export interface BegunStep {
  /** Number of the step in the workflow. */
  readonly step: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Worker, as process and machine. */
  readonly worker: string;
}

/** Time at which a step was begun again, in milliseconds of the server's clock, and the outcome of the attempt before. */
export interface NextAttempt {
  readonly startedMs: number;
  readonly after: string;
}

interface Pending {
  readonly activityId: string;
  readonly state: string;
  readonly attempt: number;
  readonly lastStartedTime?: string;
  readonly lastWorkerIdentity?: string;
  readonly lastFailure?: Failure;
}
interface Failure {
  readonly message?: string;
}
interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
  readonly activityTaskScheduledEventAttributes?: { readonly activityId: string };
  readonly activityTaskStartedEventAttributes?: {
    readonly scheduledEventId: string;
    readonly attempt: number;
    readonly identity: string;
    readonly lastFailure?: Failure;
  };
}

const answerMs = 5000;
const pollEveryMs = 100;
const crowdedMs = 500;

/** Reads the state of workflows from a Temporal server. Each function throws while the server does not answer. */
export function createWorkflowReader({ web }: Server, namespace = 'steppe') {
  /** Undefined where the server answers 404. */
  async function ask<T>(path: string): Promise<T | undefined> {
    const url = `${web}/api/v1/namespaces/${namespace}/${path}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    const text = await answer.text();
    if (answer.status === 404) return undefined;
    if (answer.status === 429) {
      await sleep(crowdedMs); // the server limits lists to a few per second
      return await ask<T>(path);
    }
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    const body: T = JSON.parse(text);
    return body;
  }

  async function pendingOf(id: string): Promise<readonly Pending[]> {
    const found = await ask<{ pendingActivities?: readonly Pending[] }>(`workflows/${id}`);
    return found?.pendingActivities ?? [];
  }

  const reader = {
    /** Ids of all open workflows. */
    async listOpen(): Promise<readonly string[]> {
      const query = encodeURIComponent('ExecutionStatus = "Running"');
      const found = await ask<{
        executions?: readonly { readonly execution: { readonly workflowId: string } }[];
      }>(`workflows?query=${query}`);
      return found?.executions?.map(({ execution }) => execution.workflowId) ?? [];
    },
    /** False for a workflow that is closed or unknown. */
    async isOpen(id: string): Promise<boolean> {
      const found = await ask<{ workflowExecutionInfo: { readonly status: string } }>(`workflows/${id}`);
      return found?.workflowExecutionInfo.status === 'WORKFLOW_EXECUTION_STATUS_RUNNING';
    },
    /** Steps that workers have begun and not yet answered. */
    async begunSteps(id: string): Promise<readonly BegunStep[]> {
      return (await pendingOf(id))
        .filter(isBegun)
        .map(({ activityId: step, attempt, lastWorkerIdentity }) => ({
          step,
          attempt,
          worker: lastWorkerIdentity ?? '',
        }));
    },
    /** All events of a workflow. */
    async eventsOf(id: string): Promise<readonly HistoryEvent[]> {
      const events: HistoryEvent[] = [];
      for (let token = ''; ;) {
        const page = await ask<{
          readonly history: { readonly events?: readonly HistoryEvent[] };
          readonly nextPageToken?: string;
        }>(`workflows/${id}/history?nextPageToken=${encodeURIComponent(token)}`);
        events.push(...(page?.history.events ?? []));
        token = page?.nextPageToken ?? '';
        if (token === '') return events;
      }
    },
    /**
     * Waits until a step is begun again. Undefined when the previous attempt was answered after all.
     * @throws after this many seconds
     */
    async nextAttempt(id: string, step: BegunStep, seconds: number): Promise<NextAttempt | undefined> {
      for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(pollEveryMs)) {
        const pending = (await pendingOf(id)).find(({ activityId }) => activityId === step.step);
        if (pending !== undefined) {
          if (pending.attempt > step.attempt && isBegun(pending))
            return {
              startedMs: Date.parse(pending.lastStartedTime ?? ''),
              after: pending.lastFailure?.message ?? '',
            };
          continue;
        }
        const last = lastAttemptOf(await reader.eventsOf(id), step.step);
        if (last !== undefined) return last.attempt > step.attempt ? last : undefined;
      }
      throw new Error(`step ${step.step} is not begun again within ${seconds} s`);
    },
  };
  return reader;
}

function isBegun({ state }: Pending): boolean {
  return state === 'PENDING_ACTIVITY_STATE_STARTED';
}

/** Last attempt of a step in the history, which records only the attempt that was answered. */
function lastAttemptOf(
  events: readonly HistoryEvent[],
  step: string,
): (NextAttempt & { readonly attempt: number }) | undefined {
  const scheduled = events.find((event) => event.activityTaskScheduledEventAttributes?.activityId === step);
  for (const { eventTime, activityTaskStartedEventAttributes: started } of events) {
    if (started === undefined || started.scheduledEventId !== scheduled?.eventId) continue;
    return {
      attempt: started.attempt,
      startedMs: Date.parse(eventTime),
      after: started.lastFailure?.message ?? '',
    };
  }
  return undefined;
}
