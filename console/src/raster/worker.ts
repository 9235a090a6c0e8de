import type { Question, Reply } from './messages.ts';
import { createRasters } from './rasters.ts';

const maxCacheBytes = 64 * 1024 * 1024;

let authorization: string | undefined;
/** The last status of each refused URL; the TIFF reader does not pass it on. */
const refusals = new Map<string, number>();
/** Time limit for a range. */
const timeoutMs = 30_000;
const rasters = createRasters(async (url, options) => {
  const headers = new Headers(options.headers);
  if (authorization !== undefined) headers.set('authorization', authorization);
  // A range counts as answered only after all bytes have arrived.
  refusals.set(url, 0);
  const response = await fetch(url, { ...options, headers, signal: AbortSignal.timeout(timeoutMs) });
  const bytes = await response.arrayBuffer();
  send({ isAlive: true });
  if (response.ok) refusals.delete(url);
  else refusals.set(url, response.status);
  return new Response(bytes, { status: response.status, headers: response.headers });
}, maxCacheBytes);

async function answer(question: Question): Promise<unknown> {
  switch (question.kind) {
    case 'open':
      return await rasters.open(question.request);
    case 'tile':
      return await rasters.tile(question.request);
    case 'classes':
      return await rasters.classes(question.request);
    case 'survey':
      return await rasters.survey(question.request);
    case 'peek':
      return await rasters.peek(question.request);
    case 'close':
      return await rasters.close(question.request);
    default:
      authorization = question.request;
      return undefined;
  }
}

async function reply(question: Question): Promise<Reply> {
  const { job } = question;
  try {
    return { job, answer: await answer(question) };
  } catch (error) {
    const url = typeof question.request === 'object' ? question.request.url : undefined;
    const status = url === undefined ? undefined : refusals.get(url);
    return { job, error: error instanceof Error ? error.message : String(error), status };
  }
}

async function handle(data: Question): Promise<void> {
  const answered = await reply(data);
  const transfer = 'answer' in answered && answered.answer instanceof ArrayBuffer ? [answered.answer] : [];
  send(answered, transfer);
}

function send(message: Reply, transfer: ArrayBuffer[] = []): void {
  globalThis.postMessage(message, { transfer });
}

globalThis.addEventListener('message', ({ data }: MessageEvent<Question>) => void handle(data));
