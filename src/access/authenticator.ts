import type { Scope } from './scopes.ts';

/** Tells what credentials are worth. */
export interface Authenticator {
  /**
   * The scopes of a bearer token; undefined when it is not, or not any more, valid.
   * @throws {Problem} `unavailable` when nobody can tell now; or what the database throws when it is away.
   */
  scopesOf(token: string): Promise<ReadonlySet<Scope> | undefined>;
}
