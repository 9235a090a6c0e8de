import type { ThreadContext } from './objects/context.ts';
import type { FromThread, ToThread } from './messages.ts';

/** Signals that the api could not read an object for the thread; the api stores the reason under this number. */
export class Unread extends Error {
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
export function createObjectQuestions(post: (message: FromThread) => void) {
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
