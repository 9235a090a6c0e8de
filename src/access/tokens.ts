import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { Scope } from './authenticator.ts';
import { createTokenText, digestOf, type NewToken } from './token-text.ts';

export interface TokenInput {
  /** What the token is for, as people will see it in the list. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** For ever when undefined. */
  readonly expiresInDays: number | undefined;
}

/** Of a token, all but what would let it be used. */
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

/** Makes a token. Its text can not be had again. */
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

/** All tokens, the newest first. */
export async function listTokens(db: Database): Promise<TokenListing[]> {
  return await db
    .selectFrom('tokens')
    .select((row) => [
      'id',
      'name',
      'scopes',
      row
        .case()
        .when('revoked_at', 'is not', null)
        .then('revoked' as const)
        .when('expires_at', '<=', sql<Date>`now()`)
        .then('expired' as const)
        .else('valid' as const)
        .end()
        .as('state'),
      'created_at as createdAt',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
    ])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Makes a token void from the next request on; false when there is none of this id. Twice is once. */
export async function revokeToken(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
