import { useEffect } from 'preact/hooks';
import type { ReadonlySignal } from '@preact/signals';
import { isFinal } from '../../service/ask.ts';
import { type Resource, useResource } from '../../service/resource.ts';
import { getRun, type SeenRun } from '../../service/runs.ts';
import { language } from '../../words/words.ts';
import { hasEnded } from './run-facts.ts';

const visibleMs = 1000;
/** Also as often as a hidden tab asks. */
export const hiddenMs = 30_000;

/** Follows a run until it has ended: each second, and less often while the page is hidden. */
export function useRun(id: string): {
  readonly resource: ReadonlySignal<Resource<SeenRun>>;
  readonly reload: () => void;
} {
  const { resource, reload } = useResource(`${id} ${language()}`, async (signal) => await getRun(id, signal));
  const { value, failure, isLoading } = resource.value;
  const isOver = (value !== undefined && hasEnded(value.run)) || (failure !== undefined && isFinal(failure));
  useRepeated(reload, { isWaiting: !isLoading && !isOver, everyMs: visibleMs, since: resource.value });
  return { resource, reload };
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
