import { useEffect } from 'preact/hooks';
import type { ReadonlySignal } from '@preact/signals';
import { isFinal, fetchFromService, refusalOf } from '../../../service/fetch.ts';
import { listenToEvents, hasEvents, type ServiceEvent } from '../../../service/events.ts';
import { type Resource, useResource } from '../../../service/resource.ts';
import { language } from '../../../words/words.ts';
import { hasEnded } from './run-facts.ts';
import { pathTo } from '../../../service/request.ts';
import type { LandscapeRun } from '../../../service/types.ts';

/** A run, and the time of its state on the clock of the service, in milliseconds since 1970. */
export interface SeenRun {
  readonly run: LandscapeRun;
  readonly seenAt: number;
}

const visibleMs = 1000;
/** Interval of updates while events arrive, for the times that are shown. */
const pollWithEventsMs = 5000;
/** Events within this time cause one request. */
const batchMs = 200;
/** Also the interval of requests from a hidden tab. */
export const hiddenMs = 30_000;

/** Follows a run until it has ended: at each event, each second without events, and less often while the page is hidden. */
export function useRun(id: string): {
  readonly resource: ReadonlySignal<Resource<SeenRun>>;
  readonly reload: () => void;
} {
  const { resource, reload } = useResource(
    `${id} ${language()}`,
    async (signal) => await readRun(id, signal),
  );
  const { value, failure, isLoading } = resource.value;
  const isOver = (value !== undefined && hasEnded(value.run)) || (failure !== undefined && isFinal(failure));
  useRepeated(reload, {
    isWaiting: !isLoading && !isOver,
    everyMs: hasEvents.value ? pollWithEventsMs : visibleMs,
    since: resource.value,
  });
  useEvents(reload, { isWanted: !isOver, isAbout: (event) => event.run_id === id, key: id });
  return { resource, reload };
}

async function readRun(id: string, signal: AbortSignal): Promise<SeenRun> {
  const path = pathTo('/landscape/runs/{id}', { path: { id } });
  return await fetchFromService(path, { signal }, async (response) => {
    if (!response.ok) throw await refusalOf(response);
    const run: LandscapeRun = await response.json();
    return { run, seenAt: Date.parse(response.headers.get('date') ?? '') || Date.now() };
  });
}

interface EventOptions {
  readonly isWanted: boolean;
  readonly isAbout: (event: ServiceEvent) => boolean;
  /** Identifies the subject of the events. */
  readonly key: string;
}

/** Returns whether an event changes a list of runs. Lists do not show progress. */
export const isNewsOfRuns = ({ type }: ServiceEvent): boolean =>
  type.startsWith('run.') && type !== 'run.progress';

/** Calls `act` after events about a subject. */
export function useEvents(act: () => void, { isWanted, isAbout, key }: EventOptions): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listenToEvents((event) => {
      if (event.type !== 'reset' && !isAbout(event)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, batchMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isWanted, key]);
}

interface Repeating {
  readonly isWaiting: boolean;
  readonly everyMs: number;
  /** The interval starts again when this value changes. */
  readonly since: unknown;
}

/** Calls `act` after an interval, or as soon as a hidden page becomes visible. */
export function useRepeated(act: () => void, { isWaiting, everyMs, since }: Repeating): void {
  useEffect(() => {
    if (!isWaiting) return undefined;
    let timer = setTimeout(act, document.hidden ? hiddenMs : everyMs);
    const onVisibility = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(act, hiddenMs);
      else act();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [isWaiting, since]);
}
