import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Authenticator,
  type Principal,
  type Scope,
  scopes as allScopes,
} from '../../access/authenticator.ts';
import { networkOf } from '../../lib/addresses.ts';
import { accessProblems } from '../../messages/request/english.ts';
import type { App } from '../request/schemas.ts';
import type { AuthenticationPolicy } from './access-policy.ts';
import { isOpen } from './route-scopes.ts';

const realm = 'Bearer realm="steppe"';
const principals = new WeakMap<FastifyRequest, Principal>();
const addresses = new WeakMap<FastifyRequest, string>();

/** Returns the sender of a request; undefined without credentials or before they are verified. */
export function principalOf(request: FastifyRequest): Principal | undefined {
  return principals.get(request);
}

/** Counts a request that this process sends to itself as one of the client at `address`. */
export function askFor(request: FastifyRequest, address: string): void {
  addresses.set(request, address);
}

/**
 * Returns the key by which clients share limits: the network and, within it, the credentials. Neither is enough alone:
 * a page for many readers has one token, and many clients share one proxy.
 */
export function clientOf(request: FastifyRequest): string {
  const network = networkOf(addresses.get(request) ?? request.ip);
  const principal = principalOf(request);
  return principal === undefined ? network : `${principal.subject} ${network}`;
}

/**
 * Requires credentials with the scope of the route (RFC 6750); none with `AUTH_MODE=off`. An unknown path requires any
 * valid credentials, so that clients without them learn nothing. Browsers send OPTIONS without credentials.
 */
export function addAuthentication(app: App, policy: AuthenticationPolicy): void {
  if (policy.mode === 'off') return;
  const { authenticator } = policy;
  app.addHook('onRequest', async (request, reply) => {
    const { scope = 'credentials' } = request.routeOptions.config;
    if (request.method === 'OPTIONS' || isOpen(scope)) return;
    const { scopes } = await authenticate(request, reply, authenticator);
    if (scope === 'credentials' || scopes.has(scope)) return;
    reply.header('www-authenticate', `${realm}, error="insufficient_scope", scope="${scope}"`);
    throw accessProblems.scopeMissing(scope);
  });
}

/**
 * Returns the scopes of a request where credentials are optional: all with `AUTH_MODE=off`, none without credentials.
 * @throws {Problem} `unauthorized` for invalid credentials; the error of the authenticator when it cannot verify them.
 */
export async function findGrantedScopes(
  request: FastifyRequest,
  reply: FastifyReply,
  policy: AuthenticationPolicy,
): Promise<readonly Scope[]> {
  if (policy.mode === 'off') return allScopes;
  if ((request.headers.authorization ?? '') === '') return [];
  const { scopes } = await authenticate(request, reply, policy.authenticator);
  return allScopes.filter((scope) => scopes.has(scope));
}

async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticator: Authenticator,
): Promise<Principal> {
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const principal = token === undefined ? undefined : await authenticator.authenticate(token);
  if (principal !== undefined) {
    principals.set(request, principal);
    return principal;
  }
  reply.header('www-authenticate', token === undefined ? realm : `${realm}, error="invalid_token"`);
  // The reason why a token is invalid would help only an attacker.
  throw token === undefined ? accessProblems.tokenMissing() : accessProblems.tokenInvalid();
}
