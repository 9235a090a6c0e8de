import { once } from 'node:events';
import { createServer } from 'node:http';

export interface MetricsServer {
  /** The actual port if any free one was requested. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` in the text format of Prometheus on a port of its own: metrics are for operators, not for clients.
 * @param read returns the text. @throws if the port is not available.
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
