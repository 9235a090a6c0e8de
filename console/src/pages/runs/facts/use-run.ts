import { useEffect } from 'preact/hooks';
import type { ReadonlySignal } from '@preact/signals';
import { isFinal, fetchFromService, refusalOf } from '../../../service/ask.ts';
import { hearEvents, isHearing, type ServiceEvent } from '../../../service/events.ts';
import { type Resource, useResource } from '../../../service/resource.ts';
import { language } from '../../../words/words.ts';
import { hasEnded } from './run-facts.ts';
import { pathTo } from '../../../service/request.ts';
import type { LandscapeRun } from '../../../service/types.ts';

/** A run as the service saw it at a moment of its own clock, in milliseconds since 1970. */
export interface SeenRun {
  readonly run: LandscapeRun;
  readonly seenAt: number;
}

const visibleMs = 1000;
/** While events say what has changed, for the times that are shown. */
const toldMs = 5000;
/** Changes that come together are looked at once. */
const gatherMs = 200;
/** Also as often as a hidden tab asks. */
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
    everyMs: isHearing.value ? toldMs : visibleMs,
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

interface Hearing {
  readonly isWanted: boolean;
  readonly isAbout: (event: ServiceEvent) => boolean;
  /** Of what it is about. */
  readonly key: string;
}

/** Returns whether an event changes a list of runs. Lists do not show progress. */
export const isNewsOfRuns = ({ type }: ServiceEvent): boolean =>
  type.startsWith('run.') && type !== 'run.progress';

/** Does something after events about something. */
export function useEvents(act: () => void, { isWanted, isAbout, key }: Hearing): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = hearEvents((event) => {
      if (event.type !== 'reset' && !isAbout(event)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, gatherMs);
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
  /** The time counts from its last change. */
  readonly since: unknown;
}

/** Does something after a while, or as soon as a hidden page is looked at. */
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
