import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../lib/error-facts.ts';
import { Problem } from '../../lib/errors.ts';
import { createHandlers } from './handlers.ts';
import type { CallFailure, FromThread, ToThread } from './messages.ts';
import type { ThreadContext } from './objects/context.ts';

/** Signals that the api could not read an object for the thread; the api stores the reason under this number. */
class Unread extends Error {
  override readonly name = 'Unread';
  readonly read: number;
  constructor(read: number, message: string) {
    super(message);
    this.read = read;
  }
}

interface Waiting {
  answer(value: unknown): void;
  fail(error: Error): void;
}

/** Creates the client that requests objects from the api; `hear` receives the answers. */
function createObjectQuestions(post: (message: FromThread) => void) {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  async function ask<T>(question: (id: number) => FromThread): Promise<T> {
    last += 1;
    const id = last;
    return await new Promise<T>((resolve, reject) => {
      waiting.set(id, { answer: resolve, fail: reject });
      post(question(id));
    });
  }
  const context: ThreadContext = {
    read: async (key, start, length) => await ask((id) => ({ kind: 'read', id, key, start, length })),
    size: async (key) => await ask((id) => ({ kind: 'ask-size', id, key })),
  };
  return {
    context,
    hear(message: Exclude<ToThread, { kind: 'call' }>): void {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === 'unread') asked?.fail(new Unread(message.id, message.message));
      else asked?.answer(message.kind === 'bytes' ? message.bytes : message.sizeBytes);
    },
  };
}

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
