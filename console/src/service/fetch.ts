import { language } from '../words/words.ts';
import { askForToken, authorization } from './token.ts';

interface Refusal {
  readonly status: number;
  readonly requestId?: string | undefined;
  readonly isChange?: boolean;
}

/** The service refused a request, or did not answer (`status` 0). */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  /** The id by which an operator finds the request in the log. */
  readonly requestId: string | undefined;
  /** True if the request was a write: without an answer it is unknown whether it took effect. */
  readonly isChange: boolean;

  constructor(message: string, { status, requestId, isChange = false }: Refusal) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.isChange = isChange;
  }
}

/** Converts a thrown value to a refusal; other errors mean an answer that was cut off or cannot be read. */
export function refusedOf(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused('', { status: 0 });
}

/** Returns true if a repetition cannot succeed: the service understood the request and refuses it. */
export function isFinal({ status }: Refused): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Parts of a request beside its path. */
export interface RequestOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Idempotency key of a request that creates something, from `newRequestKey`. */
  readonly key?: string;
  readonly signal?: AbortSignal | undefined;
  /** Time limit between bytes of the answer. */
  readonly timeoutMs?: number;
  /** True for a background request, which does not prompt for a token. */
  readonly isBackground?: boolean;
}

/** The time that the page waits for an answer, or for more of it, before it reports that none has come. */
const timeoutMs = 30_000;

/**
 * Requests JSON from the service. Paths are relative to the page, so that it works below any path of a proxy. If the
 * service requires a token, the page asks the person for one and repeats the request.
 * @throws {Refused}
 */
export async function fetchJson<T>(
  path: string,
  { method = 'GET', body, key, ...options }: RequestOptions = {},
): Promise<T> {
  const init = {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': keyHeader(key) }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
  return await fetchFromService(path, { ...init, ...options }, async (response) => {
    if (!response.ok) throw await refusalOf(response, method);
    return response.status === 204 ? JSON.parse('null') : await response.json();
  });
}

/** Makes the idempotency key of a request: a repeated request with the same key creates nothing more. */
export function newRequestKey(): string {
  // `randomUUID` exists over https only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the value of the header `Idempotency-Key`. */
export function keyHeader(key: string): string {
  return `"${key}"`;
}

/** Time for which an early answer counts as current. */
const prefetchedMs = 10_000;
const prefetched = new Map<string, Promise<Response>>();

/**
 * Requests JSON early, for a part of the page whose script is still loading. The first request for the same path gets this
 * answer, read already. @throws {Refused}
 */
export async function prefetch(path: string): Promise<Response> {
  const pending = fetchFromService(path, {}, readWhole);
  // A failure reaches the caller that takes this answer, if there is one.
  pending.catch(() => undefined);
  prefetched.set(path, pending);
  setTimeout(() => prefetched.delete(path), prefetchedMs);
  return await pending;
}

/** Reads the body while the page is idle. */
async function readWhole(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const body: unknown = await response.json();
  return Object.assign(response, { json: async () => await Promise.resolve(body) });
}

interface FetchOptions extends Omit<RequestOptions, 'body' | 'key'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData | null;
}

/**
 * Fetches with the token, and again with each new token while the service refuses it. `read` reads the answer within
 * the time limit between bytes.
 * @throws {Refused}
 */
export async function fetchFromService<T>(
  path: string,
  options: FetchOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const pending = prefetched.get(path);
  if (pending !== undefined && !changes(options.method)) {
    prefetched.delete(path);
    return await read(await pending);
  }
  for (;;) {
    const token = authorization();
    const isAsked = async () => options.isBackground !== true && (await askForToken(token));
    const answer = await fetchOnce(path, { options, token }, async (response) =>
      response.status === 401 && (await isAsked()) ? undefined : { read: await read(response) },
    );
    if (answer !== undefined) return answer.read;
  }
}

interface Attempt {
  readonly options: FetchOptions;
  readonly token: string | undefined;
}

async function fetchOnce<T>(
  path: string,
  { options, token }: Attempt,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { method = 'GET', body = null, signal, timeoutMs: limitMs = timeoutMs } = options;
  const headers = new Headers({ ...options.headers, 'accept-language': language() });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal?.addEventListener('abort', end);
  let timer = setTimeout(end, limitMs);
  const isAlive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(end, limitMs);
  };
  try {
    signal?.throwIfAborted();
    const response = await fetch(path.replace(/^\//, './'), { method, body, headers, signal: ended.signal });
    clearTimeout(timer);
    return await read(withProgress(response, isAlive));
  } catch (error) {
    if (signal?.aborted === true || error instanceof Refused) throw error;
    throw new Refused('', { status: 0, isChange: changes(method) });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Returns the same answer, and calls back for each part of its body. */
function withProgress(response: Response, isAlive: () => void): Response {
  const { body, status, headers } = response;
  // A response with such a status cannot be constructed with a body.
  if (body === null || status === 204) return response;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    start: isAlive,
    transform(bytes, controller) {
      isAlive();
      controller.enqueue(bytes);
    },
  });
  return new Response(body.pipeThrough(counted), { status, headers });
}

const changes = (method = 'GET'): boolean => method !== 'GET' && method !== 'HEAD';

/** Makes an error from an answer, with the sentence of the service. */
export async function refusalOf(response: Response, method?: string): Promise<Refused> {
  const body: unknown = await response.json().catch(() => undefined);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new Refused(sentenceIn(body), { status: response.status, requestId, isChange: changes(method) });
}

/** The sentence of an error body: that of `{error}`, or those of `{errors}` after the names of their fields. */
export function sentenceIn(body: unknown): string {
  const { error, errors }: { error?: unknown; errors?: unknown } = Object(body);
  if (typeof error === 'string') return error;
  const fields: Readonly<Record<string, unknown>> = Object(errors);
  return Object.entries(fields)
    .map(([field, message]) => `${field}: ${String(message)}`)
    .join('. ');
}
