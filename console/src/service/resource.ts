import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Refused } from './ask.ts';

/** Something that is loaded. What was there before stays while it is loaded anew. */
export interface Resource<T> {
  readonly value: T | undefined;
  readonly failure: Refused | undefined;
  readonly isLoading: boolean;
}

/**
 * Loads something when a component appears, and again when `key` changes or `reload` is called. Late answers to earlier
 * keys are dropped.
 */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
): { readonly resource: Signal<Resource<T>>; readonly reload: () => void } {
  const resource = useSignal<Resource<T>>({ value: undefined, failure: undefined, isLoading: true });
  const round = useSignal(0);
  useEffect(() => {
    const ended = new AbortController();
    void follow(resource, load, ended.signal);
    return () => ended.abort();
  }, [key, round.value]);
  return { resource, reload: () => void (round.value += 1) };
}

async function follow<T>(
  resource: Signal<Resource<T>>,
  load: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<void> {
  resource.value = { ...resource.peek(), isLoading: true };
  try {
    const value = await load(signal);
    if (!signal.aborted) resource.value = { value, failure: undefined, isLoading: false };
  } catch (error) {
    if (signal.aborted) return;
    const failure = error instanceof Refused ? error : new Refused(String(error), { status: 0 });
    resource.value = { ...resource.peek(), failure, isLoading: false };
  }
}
