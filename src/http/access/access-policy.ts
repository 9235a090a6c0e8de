import type { Authenticator } from '../../access/authenticator.ts';

/** Who may speak to the service, and from where. */
export interface AccessPolicy {
  readonly authentication: AuthenticationPolicy;
  readonly hosts: HostPolicy;
  /** The origins whose pages may use the service; `*` is any, for reads. */
  readonly corsOrigins: '*' | readonly string[];
  /** Where browsers find the service; as the `Host` header says when undefined. */
  readonly publicUrl: URL | undefined;
}

export type AuthenticationPolicy =
  | { readonly mode: 'off' }
  | { readonly mode: 'token'; readonly authenticator: Authenticator }
  | { readonly mode: 'oidc'; readonly authenticator: Authenticator; readonly issuer: string };

/** Under which names the service answers; `loopback` means those of this machine alone. */
export type HostPolicy =
  | { readonly answered: 'any' | 'loopback' }
  | { readonly answered: 'listed'; readonly names: readonly string[] };
