import { z } from 'zod';
import { KiB } from '../../lib/units.ts';
import { askOverHttp } from '../../mcp/ask.ts';
import { answerMessage, protocolVersions } from '../../mcp/protocol.ts';
import { requestProblems } from '../../messages/request.ts';
import { baseUrlOf } from '../access/access-policy.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

/**
 * Registers the Model Context Protocol over HTTP: one message, one answer, no session. Tools ask the ordinary routes with the credentials of the
 * request, so that scopes, limits and refusals are those of any client. It is not part of the described interface.
 */
export function registerMcpRoute(app: App, { access, log }: Services): void {
  app.post('/mcp', {
    config: { scope: 'credentials', maxBodyBytes: 64 * KiB },
    schema: { hide: true, body: z.record(z.string(), z.unknown()) },
    handler: async (request, reply) => {
      const { headers, body } = request;
      const version = [headers['mcp-protocol-version']].flat()[0];
      if (version !== undefined && !protocolVersions.some((known) => known === version))
        throw requestProblems.unknownMcpVersion(version, protocolVersions);
      const ask = askOverHttp({
        address: ownAddress(app),
        headers: {
          ...(headers.host !== undefined && { host: headers.host }),
          ...(headers.authorization !== undefined && { authorization: headers.authorization }),
        },
        base: baseUrlOf(request, access),
      });
      const report = (error: unknown) => log.error({ error }, 'a tool has failed');
      const answer = await answerMessage(body, ask, report);
      return answer === undefined ? await reply.code(202).send() : answer;
    },
  });
}

/** Where this process listens; tools ask it as any client does, so that no rule of the edge is passed by. */
function ownAddress({ server }: App): string {
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('the api listens on no port');
  const { address, port } = listening;
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
}
