import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isFinal, type Refused, refusedOf } from './fetch.ts';

/** A loaded value. The previous value stays while it is loaded again. */
export interface Resource<T> {
  readonly value: T | undefined;
  readonly failure: Refused | undefined;
  readonly isLoading: boolean;
}

interface KeyedResource<T> extends Resource<T> {
  /** The key of the value. */
  readonly key: string | undefined;
}

/** A failure can be read for this long before the page asks again by itself. */
const againAfterMs = 30_000;

/**
 * Loads a value when a component appears, and again when `key` or `version` changes, `reload` is called, or some time after a failure
 * that may pass. Late answers are dropped. If the value of a new key cannot be loaded, the previous value is removed.
 */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  version = 0,
): { readonly resource: Signal<Resource<T>>; readonly reload: () => void } {
  const initial = { value: undefined, failure: undefined, isLoading: true, key: undefined };
  const resource = useSignal<KeyedResource<T>>(initial);
  const round = useSignal(0);
  useEffect(() => {
    const ended = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    void follow(resource, { key, load, signal: ended.signal }).then((failure) => {
      if (failure === undefined || isFinal(failure)) return;
      again = setTimeout(() => void (round.value += 1), againAfterMs);
    });
    return () => {
      ended.abort();
      clearTimeout(again);
    };
  }, [key, version, round.value]);
  return { resource, reload: () => void (round.value += 1) };
}

interface Loading<T> {
  readonly key: string;
  readonly load: (signal: AbortSignal) => Promise<T>;
  readonly signal: AbortSignal;
}

/** Loads the value once, and returns a failure unless it is of no interest any more. */
async function follow<T>(
  resource: Signal<KeyedResource<T>>,
  { key, load, signal }: Loading<T>,
): Promise<Refused | undefined> {
  const before = resource.peek();
  resource.value = { ...before, failure: before.key === key ? before.failure : undefined, isLoading: true };
  try {
    const value = await load(signal);
    if (!signal.aborted) resource.value = { key, value, failure: undefined, isLoading: false };
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    const failure = refusedOf(error);
    const held = resource.peek();
    const value = held.key === key ? held.value : undefined;
    resource.value = { key: held.key, value, failure, isLoading: false };
    return failure;
  }
}
