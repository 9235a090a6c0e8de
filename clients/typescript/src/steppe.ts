import { errorOf } from './errors.js';
import { type Client, createClient, createConfig } from './generated/client/index.js';

export interface SteppeOptions {
  /** Such as `http://127.0.0.1:8080`, without a path unless a proxy serves Steppe under one. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`; a function is asked before each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** How long a request waits in all where the service says when to ask again, in seconds. */
  readonly patienceSeconds?: number;
  /** By default that of the platform. */
  readonly fetch?: typeof fetch;
}

/** The service is overloaded, or a part that it needs is away. */
const isBusy = (status: number): boolean => status === 429 || status === 503;
const safeMethods: readonly string[] = ['GET', 'HEAD'];

/**
 * Creates the client that every operation takes as `client`. A request without a body that is answered with `Retry-After` is sent again after
 * that time: 429 and 503, and 202 of what is still being counted.
 */
export function createSteppe({
  baseUrl,
  token,
  patienceSeconds = 600,
  fetch: send = fetch,
}: SteppeOptions): Client {
  async function sendPatiently(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    if (!safeMethods.includes(request.method)) return await send(request);
    const deadline = Date.now() + patienceSeconds * 1000;
    for (;;) {
      const answer = await send(request.clone());
      const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
      const isToBeAskedAgain = (answer.status === 202 || isBusy(answer.status)) && seconds >= 0;
      if (!isToBeAskedAgain || Date.now() + seconds * 1000 > deadline) return answer;
      await answer.body?.cancel();
      await pause(seconds * 1000, request.signal);
    }
  }
  const client = createClient(
    createConfig({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      fetch: sendPatiently,
      throwOnError: true,
      ...(token === undefined
        ? {}
        : { auth: async () => await (typeof token === 'string' ? token : token()) }),
    }),
  );
  client.interceptors.error.use((error, answer) =>
    answer === undefined ? error : errorOf(error, answer.status),
  );
  return client;
}

/** Waits. @throws the reason of the signal when it aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
