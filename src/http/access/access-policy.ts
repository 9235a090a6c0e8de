import type { Authenticator } from '../../access/authenticator.ts';

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
