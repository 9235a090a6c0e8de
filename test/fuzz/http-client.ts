import { Agent, request as open } from 'node:http';
import type { FuzzRequest } from './requests.ts';

const timeoutMs = 60_000;

export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface FuzzClient {
  /** @throws when there is no answer, or none in a minute */
  send(request: Pick<FuzzRequest, 'method' | 'url' | 'headers' | 'body'>): Promise<Answer>;
  readonly sent: number;
  close(): void;
}

/** Sends any method and any URL as it is, which `fetch` does not. */
export function createFuzzClient(baseUrl: string): FuzzClient {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let sent = 0;
  return {
    get sent() {
      return sent;
    },
    close: () => agent.destroy(),
    async send({ method, url, headers, body }) {
      sent += 1;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const length = body === undefined ? {} : { 'content-length': String(body.length) };
      const request = open({ agent, hostname, port, method, path: url, headers: { ...headers, ...length } });
      request.setTimeout(timeoutMs, () => request.destroy(new Error('no answer within a minute')));
      request.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          const answerHeaders = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          resolve({ status: response.statusCode ?? 0, headers: answerHeaders, body: Buffer.concat(chunks) });
        });
      });
      request.end(body);
      return await promise;
    },
  };
}
