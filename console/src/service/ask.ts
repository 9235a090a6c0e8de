import { language } from '../words/words.ts';
import { askForToken, authorization } from './token.ts';

/** The service refused a request, or did not answer (`status` 0). */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  /** By which an operator finds the request in the log. */
  readonly requestId: string | undefined;

  constructor(message: string, { status, requestId }: { status: number; requestId?: string | undefined }) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** Parts of a request beside its path. */
export interface Asking {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Asks the service for JSON. Paths are relative to the page, so that it works below any path of a proxy. When the service
 * wants a token, the person is asked for one and the request goes on where it was.
 * @throws {Refused}
 */
export async function ask<T>(path: string, { method = 'GET', body, signal }: Asking = {}): Promise<T> {
  const response = await fetchFromService(path, {
    method,
    signal: signal ?? null,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw await refusalOf(response);
  return response.status === 204 ? JSON.parse('null') : await response.json();
}

/** So long an answer that came early is as good as one that is asked for now. */
const earlyMs = 10_000;
const early = new Map<string, Promise<Response>>();

/**
 * Asks for JSON that a part of the page will ask for as soon as its script is there; whoever asks for the path first gets
 * this answer. It has been read by then, and can be read again. @throws {Refused} when nobody answers
 */
export async function askEarly(path: string): Promise<Response> {
  const answering = readWhole(fetchFromService(path));
  // A failure is told to whoever takes it, who may never come.
  answering.catch(() => undefined);
  early.set(path, answering);
  setTimeout(() => early.delete(path), earlyMs);
  return await answering;
}

/** Reads the body while the page has nothing else to do. */
async function readWhole(answering: Promise<Response>): Promise<Response> {
  const response = await answering;
  if (!response.ok) return response;
  const body: unknown = await response.json();
  return Object.assign(response, { json: async () => await Promise.resolve(body) });
}

/** Fetches with the token, and once more for each new one while the service refuses it. @throws {Refused} */
export async function fetchFromService(path: string, init: RequestInit = {}): Promise<Response> {
  const answering = early.get(path);
  if (answering !== undefined && (init.method ?? 'GET') === 'GET') {
    early.delete(path);
    return await answering;
  }
  for (;;) {
    const token = authorization();
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    headers.set('accept-language', language());
    const response = await fetch(path.replace(/^\//, './'), { ...init, headers }).catch((cause: unknown) => {
      if (init.signal?.aborted === true) throw cause;
      throw new Refused('', { status: 0 });
    });
    if (response.status !== 401 || !(await askForToken(token))) return response;
  }
}

/** Makes an error of an answer, with the sentence of the service. */
export async function refusalOf(response: Response): Promise<Refused> {
  const body: unknown = await response.json().catch(() => undefined);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new Refused(sentenceIn(body), { status: response.status, requestId });
}

/** The sentence of an error body: that of `{error}`, or those of `{errors}` behind the names of their fields. */
export function sentenceIn(body: unknown): string {
  const { error, errors }: { error?: unknown; errors?: unknown } = Object(body);
  if (typeof error === 'string') return error;
  const fields: Readonly<Record<string, unknown>> = Object(errors);
  return Object.entries(fields)
    .map(([field, message]) => `${field}: ${String(message)}`)
    .join('. ');
}
