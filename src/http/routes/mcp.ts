import { z } from 'zod';
import { KiB } from '../../lib/units.ts';
import { answered } from '../../mcp/ask.ts';
import { answerMessage, protocolVersions } from '../../mcp/protocol.ts';
import type { Ask } from '../../mcp/tools/tool.ts';
import { requestProblems } from '../../messages/request.ts';
import { baseUrlOf } from '../access/access-policy.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

/**
 * Registers the Model Context Protocol over HTTP: one message, one answer, no session. Tools ask the ordinary routes with the credentials of the
 * request, so that scopes, limits and refusals are those of any client. It is no part of the described interface.
 */
export function registerMcpRoute(app: App, { access, log }: Services): void {
  app.post('/mcp', {
    config: { scope: 'credentials', maxBodyBytes: 64 * KiB },
    schema: { hide: true, body: z.record(z.string(), z.unknown()) },
    handler: async (request, reply) => {
      const { headers, body, ip } = request;
      const version = [headers['mcp-protocol-version']].flat()[0];
      if (version !== undefined && !protocolVersions.some((known) => known === version))
        throw requestProblems.unknownMcpVersion(version, protocolVersions);
      const ask = async ({ method, path, json, language }: Parameters<Ask>[0]) => {
        const {
          statusCode,
          payload,
          headers: answer,
        } = await app.inject({
          method,
          url: path,
          remoteAddress: ip,
          headers: {
            'accept-language': language,
            ...(headers.host !== undefined && { host: headers.host }),
            ...(headers.authorization !== undefined && { authorization: headers.authorization }),
          },
          ...(json !== undefined && { payload: JSON.stringify(json) }),
        });
        return answered(statusCode, payload, answer.link?.toString());
      };
      const base = baseUrlOf(request, access);
      const report = (error: unknown) => log.error({ error }, 'a tool has failed');
      const answer = await answerMessage(body, Object.assign(ask, { base }), report);
      return answer === undefined ? await reply.code(202).send() : answer;
    },
  });
}
