import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Knows the answers that each connection still has to give. */
export interface AnswersUnderWay {
  watch(request: IncomingMessage, response: ServerResponse): void;
  on(socket: Duplex): readonly ServerResponse[];
}

/** For errors of a connection: what to do about one depends on what is being said on it. */
export function createAnswersUnderWay(): AnswersUnderWay {
  const bySocket = new WeakMap<Duplex, Set<ServerResponse>>();
  return {
    watch({ socket }, response) {
      const answers = bySocket.get(socket) ?? new Set();
      bySocket.set(socket, answers.add(response));
      response.once('close', () => answers.delete(response));
    },
    on: (socket) => [...(bySocket.get(socket) ?? [])],
  };
}
