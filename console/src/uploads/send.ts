import { keyHeader, Refused, sentenceIn } from '../service/fetch.ts';
import { askForToken, authorization } from '../service/token.ts';
import { language } from '../words/words.ts';
import type { Dataset } from '../service/types.ts';

export interface Sending {
  /** Path relative to the page. */
  readonly path: string;
  /** Idempotency key of a request that creates something, from `newRequestKey`. */
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
  /** A connection without bytes and without an answer for this time counts as lost. */
  readonly timeoutMs?: number;
}

/** Uploads a form. @throws {Refused} */
export async function sendForm(form: FormData, sending: Sending): Promise<Dataset> {
  const { status, body, refusal } = await sendBody(form, sending);
  if (status !== 201) throw refusal();
  // The file has arrived, but not the answer.
  if (body === undefined) throw new Refused('', { status: 0, isChange: true });
  return body;
}

/** Sends bytes, again for each new token. It uses XMLHttpRequest, because `fetch` does not report how many bytes were sent. */
export async function sendBody(content: FormData | Blob, sending: Sending) {
  for (;;) {
    const token = authorization();
    const { status, text, requestId, location } = await sendOnce(content, token, sending);
    if (status === 401 && (await askForToken(token))) continue;
    const body = parsed(text);
    const refusal = (): Refused => new Refused(sentenceIn(body), { status, requestId, isChange: true });
    return { status, body, location, refusal };
  }
}

async function sendOnce(content: FormData | Blob, token: string | undefined, sending: Sending) {
  const { path, key, method = 'POST', headers = {}, onProgress, signal, timeoutMs } = sending;
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const ended = Promise.withResolvers<void>();
  const abort = (): void => request.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isAlive = (): void => {
    clearTimeout(timer);
    if (timeoutMs !== undefined) timer = setTimeout(abort, timeoutMs);
  };
  request.upload.addEventListener('progress', ({ loaded }) => {
    isAlive();
    onProgress(loaded);
  });
  request.addEventListener('loadend', () => ended.resolve());
  signal.addEventListener('abort', abort);
  request.open(method, path);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
  if (key !== undefined) request.setRequestHeader('idempotency-key', keyHeader(key));
  request.setRequestHeader('accept-language', language());
  request.send(content);
  isAlive();
  await ended.promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', abort);
  signal.throwIfAborted();
  const requestId = request.getResponseHeader('x-request-id') ?? undefined;
  const location = request.getResponseHeader('location') ?? undefined;
  return { status: request.status, text: request.responseText, requestId, location };
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The speed over the last seconds, which follows the network without jumping. */
export interface Speed {
  readonly bytesPerSecond: number;
  /** Whole seconds until all is sent. */
  readonly secondsLeft: number;
}

const windowMs = 5000;

/** Creates a meter for one upload of `allBytes`. It returns nothing before the first second. */
export function createSpeedMeter(allBytes: number): (sentBytes: number, nowMs: number) => Speed | undefined {
  const samples: { readonly sentBytes: number; readonly nowMs: number }[] = [];
  return (sentBytes, nowMs) => {
    samples.push({ sentBytes, nowMs });
    while (samples.length > 2 && nowMs - (samples[1]?.nowMs ?? nowMs) >= windowMs) samples.shift();
    const [first] = samples;
    const elapsedMs = nowMs - (first?.nowMs ?? nowMs);
    const bytes = sentBytes - (first?.sentBytes ?? 0);
    if (elapsedMs < 1000 || bytes <= 0) return undefined;
    const bytesPerSecond = (bytes * 1000) / elapsedMs;
    return { bytesPerSecond, secondsLeft: Math.ceil((allBytes - sentBytes) / bytesPerSecond) };
  };
}
