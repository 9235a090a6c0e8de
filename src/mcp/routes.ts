import { randomUUID } from 'node:crypto';
import { Problem } from '../lib/errors.ts';
import { KiB } from '../lib/units.ts';
import { askOverHttp } from './ask.ts';
import { answerMessages, notJson, protocolVersions, versionsWithBatches } from './protocol.ts';
import { requestProblems } from '../messages/request/english.ts';
import { askFor } from '../http/access/authentication.ts';
import { baseUrlOf } from '../http/access/own-addresses.ts';
import { parseJson } from '../http/request/body.ts';
import type { App } from '../http/request/schemas.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';
import type { FastifyBaseLogger } from 'fastify';

/** The address that the client used, in requests of tools to this process; accepted only with a secret that this process alone knows. */
const askedForHeader = 'steppe-asked-for';

/**
 * Registers the Model Context Protocol over HTTP: one message or batch, one answer, no session. Tools call the ordinary routes with the
 * credentials of the request, so that the same scopes, limits and errors apply as for any client. It is not part of /openapi.json.
 */
export function registerMcpRoute(
  app: App,
  { access, log }: { readonly access: AccessPolicy; readonly log: FastifyBaseLogger },
): void {
  const word = randomUUID();
  app.addHook('onRequest', (request, _reply, done) => {
    const [proof, address] = String(request.headers[askedForHeader] ?? '').split(' ');
    if (proof === word && address !== undefined) askFor(request, address);
    done();
  });

  app.post('/mcp', {
    // All tools are read-only.
    config: { scope: 'credentials', maxBodyBytes: 64 * KiB, changesNothing: true, readsBytes: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { headers, body } = request;
      const version = [headers['mcp-protocol-version']].flat()[0];
      if (version !== undefined && !protocolVersions.some((known) => known === version))
        throw requestProblems.unknownMcpVersion(version, protocolVersions);
      const message = messageIn(body);
      if (message === undefined) return await reply.code(400).send(notJson('the body is not JSON'));
      const ask = askOverHttp({
        address: ownAddress(app),
        headers: {
          [askedForHeader]: `${word} ${request.ip}`,
          'accept-encoding': 'identity', // the request does not leave the machine
          ...(headers.host !== undefined && { host: headers.host }),
          ...(headers.authorization !== undefined && { authorization: headers.authorization }),
        },
        base: baseUrlOf(request, access),
      });
      const report = (error: unknown) => log.error({ error }, 'a tool has failed');
      // A client that names no version uses the last one that had no version header (2025-03-26).
      const hasBatches = version === undefined || versionsWithBatches.some((known) => known === version);
      const answer = await answerMessages(message, { ask, report, hasBatches });
      return answer === undefined ? await reply.code(202).send() : answer;
    },
  });
}

/** Parses the bytes of a body; undefined if they are not JSON. */
function messageIn(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** The address on which this process listens. Tools call it as any client does, so that all checks of HTTP requests apply. */
function ownAddress({ server }: App): string {
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('the api listens on no port');
  const { address, port } = listening;
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
}
