import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { Scope } from './authenticator.ts';
import { createTokenText, digestOf, type NewToken } from './token-text.ts';

export interface TokenInput {
  /** The purpose of the token, as people see it in the list. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Never expires when undefined. */
  readonly expiresInDays: number | undefined;
}

/** Everything about a token but what would let it be used. */
export interface TokenListing {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
}

/** Creates a token. Its text is returned once and cannot be recovered. */
export async function createToken(db: Database, input: TokenInput): Promise<NewToken> {
  const token = createTokenText();
  const { name, scopes, expiresInDays } = input;
  await db
    .insertInto('tokens')
    .values({
      id: token.id,
      name,
      sha256: digestOf(token.text),
      scopes: [...new Set(scopes)],
      expires_at:
        expiresInDays === undefined ? null : sql<Date>`now() + make_interval(days => ${expiresInDays})`,
    })
    .execute();
  return token;
}

const state = sql<TokenListing['state']>`case
  when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end`;

/** Lists all tokens, the newest first. */
export async function listTokens(db: Database): Promise<TokenListing[]> {
  return await db
    .selectFrom('tokens')
    .select(['id', 'name', 'scopes', state.as('state')])
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'last_used_at as lastUsedAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Revokes a token from the next request on; false when there is none of this id. Repeating it changes nothing. */
export async function revokeToken(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
