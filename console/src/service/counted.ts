import { useSignal } from '@preact/signals';
import type { PendingResult } from '../../generated/api.ts';
import { type RequestOptions, fetchFromService, type Refused, refusalOf } from './fetch.ts';
import { filled, type Gets, type Posts } from './request.ts';
import { useResource } from './resource.ts';

/** Seconds for which the service holds an answer whose figures it still counts. */
const waitSeconds = 10;
const timeoutMs = (waitSeconds + 30) * 1000;

interface CountedOptions extends RequestOptions {
  /** Called when the service has answered that it is still counting. */
  readonly onCounting: () => void;
}

/** Options of a request for figures. */
export interface Counting {
  readonly signal: AbortSignal;
  readonly onCounting: () => void;
}

/**
 * Requests figures that a job may have to count first (202), repeatedly until they are counted.
 * @param read reads an answer, by default as JSON
 * @throws {Refused}
 */
export async function fetchCounted<T>(
  path: string,
  { onCounting, method = 'GET', body, ...options }: CountedOptions,
  read: (response: Response) => Promise<T> = async (response) => await response.json(),
): Promise<T> {
  const waiting = `${path}${path.includes('?') ? '&' : '?'}wait=${waitSeconds}`;
  const init = {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    timeoutMs,
    ...options,
  };
  for (;;) {
    const answer = await fetchFromService(waiting, init, async (response) => {
      if (!response.ok) throw await refusalOf(response, method);
      const figures = await read(response);
      return response.status === 202 ? undefined : { figures };
    });
    if (answer !== undefined) return answer.figures;
    onCounting();
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

/** Reads figures that a job may have to count first. @throws {Refused} */
export async function getCounted<P extends keyof Gets>(
  path: P,
  options: Gets[P]['asked'] & CountedOptions,
): Promise<Exclude<Gets[P]['answer'], PendingResult>> {
  return await fetchCounted(filled(path, options), options);
}

/** The same for a request with a body. @throws {Refused} */
export async function postCounted<P extends keyof Posts>(
  path: P,
  options: Posts[P]['asked'] & CountedOptions,
): Promise<Exclude<Posts[P]['answer'], PendingResult>> {
  return await fetchCounted(filled(path, options), { ...options, method: 'POST' });
}

/** Interval of requests if the service answers 202 before its time limit. */
const retryMs = 1000;

/** Figures that the service may still count. Previous figures stay while new ones load. */
export interface Counted<T> {
  readonly value: T | undefined;
  readonly failure: Refused | undefined;
  /** True if the service has answered that it is still counting them. */
  readonly isCounting: boolean;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads figures when a component appears and when `key` changes, with the words to show while they are counted. */
export function useCounted<T>(key: string, load: (options: Counting) => Promise<T>): Counted<T> {
  const counting = useSignal('');
  const { resource, reload } = useResource(key, async (signal) => {
    counting.value = '';
    return await load({ signal, onCounting: () => void (counting.value = key) });
  });
  const { value, failure, isLoading } = resource.value;
  return { value, failure, isLoading, isCounting: isLoading && counting.value === key, reload };
}
