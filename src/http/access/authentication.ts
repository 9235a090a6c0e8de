import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Authenticator,
  type Principal,
  type Scope,
  scopes as allScopes,
} from '../../access/authenticator.ts';
import { networkOf } from '../../lib/addresses.ts';
import { accessProblems } from '../../messages/request.ts';
import type { App } from '../request/schemas.ts';
import type { AuthenticationPolicy } from './access-policy.ts';
import { isOpen } from './route-scopes.ts';

const realm = 'Bearer realm="steppe"';
const principals = new WeakMap<FastifyRequest, Principal>();
const addresses = new WeakMap<FastifyRequest, string>();

/** Returns who sends a request; undefined before its credentials are proved, and without any. */
export function principalOf(request: FastifyRequest): Principal | undefined {
  return principals.get(request);
}

/** Counts a request that this process has sent to itself for the client at an address as one of that client. */
export function askFor(request: FastifyRequest, address: string): void {
  addresses.set(request, address);
}

/**
 * Returns who counts as one client where several share something: its network, and within that its credentials. Neither is enough: a page for many
 * readers has one token, and many come through one proxy.
 */
export function clientOf(request: FastifyRequest): string {
  const network = networkOf(addresses.get(request) ?? request.ip);
  const principal = principalOf(request);
  return principal === undefined ? network : `${principal.subject} ${network}`;
}

/**
 * Requires credentials with the scope of the route (RFC 6750); none with `AUTH_MODE=off`. A path that does not exist needs any valid
 * ones, so that clients without them learn nothing. Browsers send OPTIONS without any.
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
 * Returns what a request may do where credentials are optional: everything with `AUTH_MODE=off`, nothing without credentials.
 * @throws {Problem} `unauthorized` for credentials that are not valid; what the authenticator throws when it cannot tell.
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
  // Why a token is not valid would help only an attacker.
  throw token === undefined ? accessProblems.tokenMissing() : accessProblems.tokenInvalid();
}
