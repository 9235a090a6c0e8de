import type { FastifyRequest } from 'fastify';
import { Problem } from '../../common/errors.ts';
import type { App } from '../fastify/app-type.ts';

/**
 * Refuses what the parser lets through but two readers of one connection could take for two things: a Host sent twice
 * (RFC 9112 section 3.2), and a body in any transfer coding but `chunked` (section 6.1).
 */
export function addFramingRules(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    const fault = findFault(request);
    if (fault === undefined) return;
    reply.header('connection', 'close');
    throw new Problem('malformed', fault);
  });
}

function findFault({ raw }: FastifyRequest): string | undefined {
  if ((raw.headersDistinct.host ?? []).length > 1) return 'the Host header was sent more than once';
  const coding = raw.headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (raw.httpVersion === '1.0') return 'HTTP/1.0 knows no Transfer-Encoding';
  return coding.trim().toLowerCase() === 'chunked' ? undefined : 'the Transfer-Encoding must be chunked';
}
