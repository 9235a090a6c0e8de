import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** A message as received. */
export interface ReceivedMessage {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Receives webhooks without verifying them and answers as told, by default with 204. */
export async function openHookServer(answer: (response: ServerResponse, count: number) => void = noContent) {
  const received: ReceivedMessage[] = [];
  let answering = answer;
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece;
      const { type = '', data = {} } = text === '' ? {} : JSON.parse(text);
      received.push({
        id: String(request.headers['webhook-id']),
        headers: request.headers,
        text,
        type,
        data,
      });
      answering(response, received.length);
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hooks?key=secret-in-url`,
    port,
    received,
    answerWith(next: (response: ServerResponse, count: number) => void): void {
      answering = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const noContent = (response: ServerResponse): void => void response.writeHead(204).end();
export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end();

/**
 * Verifies messages as receivers do, with the library of Standard Webhooks.
 * @throws {Error}
 */
export function verifyAll(secret: string, messages: readonly ReceivedMessage[]): void {
  const webhook = new Webhook(secret);
  for (const { text, headers } of messages) {
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    webhook.verify(text, flat);
  }
}
