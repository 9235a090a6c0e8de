import { once } from 'node:events';
import { createServer } from 'node:http';

export interface MetricsServer {
  /** The port itself where any free one was asked for. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Answers `GET /metrics` in the text format of Prometheus, on a port of its own: figures are for those who run the service, and
 * not for its clients.
 * @param read gives the text. @throws when the port cannot be had.
 */
export async function openMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  contentType: string,
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.requestTimeout = 10_000;
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
