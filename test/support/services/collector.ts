import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { listenOn } from '../ports.ts';

const Value = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])));
const Span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: Attributes,
  status: z.object({ code: z.number().optional() }),
});
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

/** A span as a collector receives it, with the attributes of its process. */
export type CollectedSpan = z.infer<typeof Span> & { readonly resource: z.infer<typeof Attributes> };

/** Starts a collector of OTLP over HTTP with JSON, which stores what it receives. */
export async function openCollector() {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    void take(request).then((status) => response.writeHead(status).end('{}'));
  });
  async function take(request: IncomingMessage): Promise<number> {
    if (request.url !== '/v1/traces') return 404;
    const body = await text(request);
    bodies.push(body);
    headers.push(request.headers);
    for (const { resource, scopeSpans } of Export.parse(JSON.parse(body)).resourceSpans) {
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, resource: resource.attributes });
      }
    }
    return 200;
  }
  const port = await listenOn(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    /** All bodies that it has received. */
    said: () => bodies.join('\n'),
    headers,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a collector that accepts every connection, reads all data, and never answers. */
export async function openHangingCollector() {
  let asked = 0;
  const server = createServer((request) => {
    asked += 1;
    request.resume();
  });
  const port = await listenOn(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    asked: () => asked,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
