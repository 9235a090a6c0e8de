import { useSignal } from '@preact/signals';
import type { PendingResult } from '../../generated/api.ts';
import { type Asking, fetchFromService, type Refused, refusalOf } from './ask.ts';
import { filled, type Gets, type Posts } from './request.ts';
import { useResource } from './resource.ts';

/** Seconds for which the service holds an answer whose figures it still counts. */
const waitSeconds = 10;
const patienceMs = (waitSeconds + 30) * 1000;

interface AskingCounted extends Asking {
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
export async function askCounted<T>(
  path: string,
  { onCounting, method = 'GET', body, ...asking }: AskingCounted,
  read: (response: Response) => Promise<T> = async (response) => await response.json(),
): Promise<T> {
  const waiting = `${path}${path.includes('?') ? '&' : '?'}wait=${waitSeconds}`;
  const init = {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    patienceMs,
    ...asking,
  };
  for (;;) {
    const answer = await fetchFromService(waiting, init, async (response) => {
      if (!response.ok) throw await refusalOf(response, method);
      const figures = await read(response);
      return response.status === 202 ? undefined : { figures };
    });
    if (answer !== undefined) return answer.figures;
    onCounting();
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

/** Reads figures that a job may have to count first. @throws {Refused} */
export async function getCounted<P extends keyof Gets>(
  path: P,
  asking: Gets[P]['asked'] & AskingCounted,
): Promise<Exclude<Gets[P]['answer'], PendingResult>> {
  return await askCounted(filled(path, asking), asking);
}

/** The same for a request with a body. @throws {Refused} */
export async function postCounted<P extends keyof Posts>(
  path: P,
  asking: Posts[P]['asked'] & AskingCounted,
): Promise<Exclude<Posts[P]['answer'], PendingResult>> {
  return await askCounted(filled(path, asking), { ...asking, method: 'POST' });
}

/** Interval of requests if the service answers 202 before its time limit. */
const lookAgainMs = 1000;

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
export function useCounted<T>(key: string, load: (asking: Counting) => Promise<T>): Counted<T> {
  const counting = useSignal('');
  const { resource, reload } = useResource(key, async (signal) => {
    counting.value = '';
    return await load({ signal, onCounting: () => void (counting.value = key) });
  });
  const { value, failure, isLoading } = resource.value;
  return { value, failure, isLoading, isCounting: isLoading && counting.value === key, reload };
}
