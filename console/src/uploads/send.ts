import { Refused, sentenceIn } from '../service/ask.ts';
import { askForToken, authorization } from '../service/token.ts';
import { language } from '../words/words.ts';
import type { Dataset } from '../service/types.ts';

interface Sending {
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a form. It goes by XMLHttpRequest, because `fetch` does not tell how many bytes were sent.
 * @throws {Refused}
 */
export async function sendForm(form: FormData, { onProgress, signal }: Sending): Promise<Dataset> {
  for (;;) {
    const token = authorization();
    const { status, text, requestId } = await sendOnce(form, token, { onProgress, signal });
    if (status === 401 && (await askForToken(token))) continue;
    const body = parsed(text);
    if (status !== 201) throw new Refused(sentenceIn(body), { status, requestId, isChange: true });
    // The file has arrived, and the answer has not.
    if (body === undefined) throw new Refused('', { status: 0, isChange: true });
    return body;
  }
}

async function sendOnce(form: FormData, token: string | undefined, { onProgress, signal }: Sending) {
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const ended = Promise.withResolvers<void>();
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
  request.addEventListener('loadend', () => ended.resolve());
  const abort = (): void => request.abort();
  signal.addEventListener('abort', abort);
  request.open('POST', './datasets');
  if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
  request.setRequestHeader('accept-language', language());
  request.send(form);
  await ended.promise;
  signal.removeEventListener('abort', abort);
  signal.throwIfAborted();
  const requestId = request.getResponseHeader('x-request-id') ?? undefined;
  return { status: request.status, text: request.responseText, requestId };
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
