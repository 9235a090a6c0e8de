import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../lib/error-facts.ts';
import { Problem } from '../../lib/errors.ts';
import { createHandlers } from './handlers.ts';
import type { CallFailure, FromThread, ToThread } from './messages.ts';
import { createObjectQuestions, Unread } from './object-questions.ts';

const port = parentPort;
if (port === null) throw new Error('this program runs as a thread of the api');
const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []) =>
  port.postMessage(message, transfer);
const questions = createObjectQuestions(post);
const handlers = createHandlers(questions.context, Number(workerData.maxBlockBytes));

port.on('message', (message: ToThread) => {
  if (message.kind === 'call') void answer(message);
  else questions.hear(message);
});

post({ kind: 'ready' });

async function answer({ id, call }: Extract<ToThread, { kind: 'call' }>): Promise<void> {
  try {
    const result = await handlers.perform(call);
    post({ kind: 'done', id, result }, buffersOf(result));
  } catch (error) {
    post({ kind: 'failed', id, failure: failureOf(error) });
  }
}

/** Returns the memory that is transferred to the api with a result. */
function buffersOf(result: unknown): readonly ArrayBuffer[] {
  if (typeof result !== 'object' || result === null) return [];
  const arrays = [result, ...Object.values(result)].filter((value) => value instanceof Uint8Array);
  return arrays.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof Unread) return { kind: 'unread', read: error.read };
  if (error instanceof Problem) {
    const { code, message, sentence } = error;
    return { kind: 'problem', code, message, sentence };
  }
  return {
    kind: 'fault',
    message: error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
  };
}
