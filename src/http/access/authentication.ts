import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../access/authenticator.ts';
import { Problem } from '../../common/errors.ts';
import type { AuthenticationPolicy } from './access-policy.ts';
import type { App } from '../fastify/app-type.ts';
import { needOf } from './route-scopes.ts';

const realm = 'Bearer realm="steppe"';

/** Asks for credentials with the scope of the operation, as RFC 6750 has it; nothing is asked with `AUTH_MODE=off`. */
export function addAuthentication(app: App, policy: AuthenticationPolicy): void {
  if (policy.mode === 'off') return;
  const { authenticator } = policy;
  app.addHook('onRequest', async (request, reply) => {
    const need = needOf(request.method, request.routeOptions.url);
    if (need === 'nothing') return;
    const scopes = await scopesOf(request, reply, authenticator);
    if (need === 'credentials' || scopes.has(need)) return;
    reply.header('www-authenticate', `${realm}, error="insufficient_scope", scope="${need}"`);
    throw new Problem('forbidden', `the token has not the scope ${need}`);
  });
}

async function scopesOf({ headers }: FastifyRequest, reply: FastifyReply, authenticator: Authenticator) {
  const [, token] = /^bearer +([\w.~+/-]+=*) *$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) {
    reply.header('www-authenticate', realm);
    throw new Problem('unauthorized', 'a bearer token is needed: Authorization: Bearer <token>');
  }
  const scopes = await authenticator.scopesOf(token);
  if (scopes === undefined) {
    // Not why: that would help nobody but who is trying.
    reply.header('www-authenticate', `${realm}, error="invalid_token"`);
    throw new Problem('unauthorized', 'the token is not valid, or not any more');
  }
  return scopes;
}
