import { setTimeout as sleep } from 'node:timers/promises';

/** Of a server of Temporal: `web` is where its interface over HTTP is. */
interface Server {
  readonly web: string;
}

/** A step of a workflow that a worker has begun. */
export interface BegunStep {
  /** Its number in the workflow. */
  readonly step: string;
  /** From 1. */
  readonly attempt: number;
  /** Of the worker, as process and machine. */
  readonly worker: string;
}

/** When a step was begun again, by the server's clock in milliseconds, and how its attempt before has ended. */
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
const lookEveryMs = 100;
const crowdedMs = 500;

/** Reads what a server of Temporal knows of workflows. Each question throws while it does not answer. */
export function createWorkflowReader({ web }: Server, namespace = 'steppe') {
  /** Undefined where there is no such thing. */
  async function ask<T>(path: string): Promise<T | undefined> {
    const url = `${web}/api/v1/namespaces/${namespace}/${path}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    const text = await answer.text();
    if (answer.status === 404) return undefined;
    if (answer.status === 429) {
      await sleep(crowdedMs); // it answers some lists a second
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
    /** The ids of all workflows that are open. */
    async listOpen(): Promise<readonly string[]> {
      const query = encodeURIComponent('ExecutionStatus = "Running"');
      const found = await ask<{
        executions?: readonly { readonly execution: { readonly workflowId: string } }[];
      }>(`workflows?query=${query}`);
      return found?.executions?.map(({ execution }) => execution.workflowId) ?? [];
    },
    /** False for a workflow that is closed, or that the server does not know. */
    async isOpen(id: string): Promise<boolean> {
      const found = await ask<{ workflowExecutionInfo: { readonly status: string } }>(`workflows/${id}`);
      return found?.workflowExecutionInfo.status === 'WORKFLOW_EXECUTION_STATUS_RUNNING';
    },
    /** What workers have begun and not answered yet. */
    async begunSteps(id: string): Promise<readonly BegunStep[]> {
      return (await pendingOf(id))
        .filter(isBegun)
        .map(({ activityId: step, attempt, lastWorkerIdentity }) => ({
          step,
          attempt,
          worker: lastWorkerIdentity ?? '',
        }));
    },
    /** The types of all events of a workflow. */
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
     * Waits until a step is begun again. Undefined when the attempt that was under way has been answered after all.
     * @throws after so many seconds.
     */
    async nextAttempt(id: string, step: BegunStep, seconds: number): Promise<NextAttempt | undefined> {
      for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(lookEveryMs)) {
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

/** The history names the attempt of a step that was answered, and none before. */
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
