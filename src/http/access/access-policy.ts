import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '../../access/authenticator.ts';
import { withoutTrailingSlashes } from '../../lib/addresses.ts';

/** The rules for clients: their credentials, host names and origins. */
export interface AccessPolicy {
  readonly authentication: AuthenticationPolicy;
  readonly hosts: HostPolicy;
  /** The origins whose pages may use the service; `*` lets any page read. */
  readonly corsOrigins: '*' | readonly string[];
  /** Proxies, by address, network or name of a range, that say in `X-Forwarded-For` who the client is. */
  readonly trustedProxies: readonly string[];
  /** The address for browsers; that of the `Host` header when undefined. */
  readonly publicUrl: URL | undefined;
}

export type AuthenticationPolicy =
  | { readonly mode: 'off' }
  | { readonly mode: 'token'; readonly authenticator: Authenticator }
  | { readonly mode: 'oidc'; readonly authenticator: Authenticator; readonly issuer: string };

/** The host names that the service answers under; `loopback` means those of this machine alone. */
export type HostPolicy =
  | { readonly answered: 'any' | 'loopback' }
  | { readonly answered: 'listed'; readonly names: readonly string[] };

/**
 * Returns the address at which the client finds the service, without a slash at its end: `PUBLIC_URL`, else the host that the request
 * names. What proxies claim in headers of their own does not count, not even that of a trusted one, which may pass on what a client has made up.
 */
export function baseUrlOf({ headers }: FastifyRequest, { publicUrl }: AccessPolicy): string {
  return withoutTrailingSlashes(publicUrl?.href ?? `http://${headers.host ?? ''}`);
}
