import type { Authenticator } from '../../access/authenticator.ts';

export interface AccessPolicy {
  readonly authentication: AuthenticationPolicy;
  readonly hosts: HostPolicy;
  /** Origins whose pages may use the service; `*` lets any page read. */
  readonly corsOrigins: '*' | readonly string[];
  /** Proxies whose `X-Forwarded-For` names the client, by address, network or name of a range. */
  readonly trustedProxies: readonly string[];
  /** The address for browsers; undefined: the address in the `Host` header. */
  readonly publicUrl: URL | undefined;
}

export type AuthenticationPolicy =
  | { readonly mode: 'off' }
  | { readonly mode: 'token'; readonly authenticator: Authenticator }
  | { readonly mode: 'oidc'; readonly authenticator: Authenticator; readonly issuer: string };

/** Host names that the service answers to; `loopback` means the names of this machine only. */
export type HostPolicy =
  | { readonly answered: 'any' | 'loopback' }
  | { readonly answered: 'listed'; readonly names: readonly string[] };
