import { createOidcAuthenticator } from '../access/oidc.ts';
import { createTokenAuthenticator } from '../access/token-authenticator.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/tables.ts';
import type { AccessPolicy, AuthenticationPolicy, HostPolicy } from '../http/access/access-policy.ts';

/** Who may speak to the service, as the settings say. */
export function createAccessPolicy(
  config: Config,
  { db, isLoopbackOnly }: { readonly db: Database; readonly isLoopbackOnly: boolean },
): AccessPolicy {
  return {
    authentication: authenticationPolicy(config, db),
    hosts: hostPolicy(config, isLoopbackOnly),
    corsOrigins: config.corsAllowedOrigins,
    publicUrl: config.publicUrl === undefined ? undefined : new URL(config.publicUrl),
  };
}

function authenticationPolicy({ authentication }: Config, db: Database): AuthenticationPolicy {
  if (authentication.mode === 'off') return { mode: 'off' };
  if (authentication.mode === 'token') return { mode: 'token', authenticator: createTokenAuthenticator(db) };
  const { mode, issuer } = authentication;
  return { mode, issuer, authenticator: createOidcAuthenticator(authentication) };
}

/** Where nothing else protects the service of one's own machine from the pages in one's browser, its names do. */
function hostPolicy(config: Config, isLoopbackOnly: boolean): HostPolicy {
  const { authentication, publicUrl, allowedHosts } = config;
  if (allowedHosts !== undefined) return { answered: 'listed', names: allowedHosts };
  const isOpen = authentication.mode === 'off' && publicUrl === undefined;
  return { answered: isOpen && isLoopbackOnly ? 'loopback' : 'any' };
}
