import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { type Authenticator, knownScopes, type Scope } from './authenticator.ts';

export interface TokenInput {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Undefined for a token that never expires. */
  readonly expiresInDays: number | undefined;
}

/** A token without its secret. */
export interface TokenListing {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Precise to the minute. */
  readonly lastUsedAt: Date | null;
}

/** Creates a token. The text is returned once and cannot be recovered. */
export async function createToken(db: Database, input: TokenInput) {
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

/** Lists all tokens, newest first. */
export async function listTokens(db: Database): Promise<TokenListing[]> {
  return await db
    .selectFrom('tokens')
    .select(['id', 'name', 'scopes', state.as('state')])
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'last_used_at as lastUsedAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Revokes a token, effective from the next request; returns false for an unknown id. Idempotent. */
export async function revokeToken(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Compared in place of a missing row, so that an unknown id takes as long as a wrong secret. */
const noDigest = Buffer.alloc(32);

/** Authenticates the service's own tokens. Each call asks the database, so that a revocation is effective at once. */
export function createTokenAuthenticator(db: Database): Authenticator {
  return {
    async authenticate(token) {
      const id = tokenIdOf(token);
      if (id === undefined) return undefined;
      const row = await findValid(db, id);
      const isRight = timingSafeEqual(digestOf(token), row?.sha256 ?? noDigest);
      if (row === undefined || !isRight) return undefined;
      // Authentication does not depend on this write: with a full disk or a read-only database, reads still work.
      if (row.is_use_to_note) await noteUse(db, id).catch(() => undefined);
      return { subject: `token:${id}`, name: row.name, scopes: knownScopes(row.scopes) };
    },
  };
}

const isUseToNote = sql<boolean>`(last_used_at is null or last_used_at < now() - interval '1 minute')`;

async function findValid(db: Database, id: string) {
  return await db
    .selectFrom('tokens')
    .select(['name', 'sha256', 'scopes', isUseToNote.as('is_use_to_note')])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
}

/** Records the use of a token; of many concurrent requests, one writes. */
async function noteUse(db: Database, id: string): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isUseToNote)
    .execute();
}

/** Number of base62 digits for the bytes of the secret and for a CRC-32. */
const secretDigits = 43;
const checksumDigits = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^(?<text>steppe_(?<id>[0-9a-f]{16})_[0-9A-Za-z]{43})(?<checksum>[0-9A-Za-z]{6})$/;

/** Creates a token of 256 random bits: `steppe_<id>_<secret>` with a trailing checksum. The id is not secret. */
export function createTokenText() {
  const id = randomBytes(8).toString('hex');
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretDigits);
  const text = `steppe_${id}_${secret}`;
  return { id, text: text + checksumOf(text) };
}

/** Returns the id in a token, or undefined if the text is not a token or its checksum is wrong. */
export function tokenIdOf(token: string): string | undefined {
  const { text = '', id, checksum } = pattern.exec(token)?.groups ?? {};
  return checksum === checksumOf(text) ? id : undefined;
}

/** Returns the digest that is stored. A slow hash would add nothing: 256 random bits cannot be guessed. */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function checksumOf(text: string): string {
  return inBase62(BigInt(crc32(text)), checksumDigits);
}

function inBase62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`;
  return text.padStart(length, '0');
}
