import { z } from 'zod';

/** The permissions of credentials; none contains another. */
export const scopes = ['data:read', 'data:write', 'catalog:write', 'landscape:run'] as const;
const Scope = z.enum(scopes);
export type Scope = z.infer<typeof Scope>;

/** Keeps the names that are scopes of this service; issuers also grant what means nothing here. */
export function knownScopes(names: readonly unknown[]): ReadonlySet<Scope> {
  return new Set(names.flatMap((name) => Scope.safeParse(name).data ?? []));
}

/** The sender of a request, by its credentials. */
export interface Principal {
  /** Names the credentials in logs: `token:` and the id of a token, or the issuer's name for whom it speaks. Never a secret. */
  readonly subject: string;
  /** What people call the sender: the name of a token, or the issuer's name for whom it speaks. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
}

export interface Authenticator {
  /**
   * Returns the principal of a bearer token; undefined when it is not, or no longer, valid.
   * @throws {Problem} `unavailable` when it cannot be checked now; or what the database throws when it is away.
   */
  authenticate(token: string): Promise<Principal | undefined>;
}
