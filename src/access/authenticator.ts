import { z } from 'zod';

/** Permissions of a credential. No scope implies another. */
export const scopes = ['data:read', 'data:write', 'catalog:write', 'landscape:run'] as const;
const Scope = z.enum(scopes);
export type Scope = z.infer<typeof Scope>;

/** Returns the names that are scopes of this service. Issuers also grant scopes of other services. */
export function knownScopes(names: readonly unknown[]): ReadonlySet<Scope> {
  return new Set(names.flatMap((name) => Scope.safeParse(name).data ?? []));
}

/** The authenticated sender of a request. */
export interface Principal {
  /** Identifies the credential in logs: `token:` and the id of a token, or the issuer's subject. Never a secret. */
  readonly subject: string;
  /** Display name: the name of a token, or the issuer's subject. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
}

export interface Authenticator {
  /**
   * Returns the principal of a bearer token, or undefined if the token is invalid, expired or revoked.
   * @throws {Problem} `unavailable` if the token cannot be checked now; passes on errors of the database.
   */
  authenticate(token: string): Promise<Principal | undefined>;
}
