import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { type Authenticator, knownScopes } from './authenticator.ts';
import { digestOf, tokenIdOf } from './token-text.ts';

/** Stands in for a row that does not exist, so that an unknown id takes as long as a wrong secret. */
const noDigest = Buffer.alloc(32);

/** Knows the service's own tokens. It asks the database each time, so that a revocation holds at once. */
export function createTokenAuthenticator(db: Database): Authenticator {
  return {
    async scopesOf(token) {
      const id = tokenIdOf(token);
      if (id === undefined) return undefined;
      const row = await findValid(db, id);
      const isRight = timingSafeEqual(digestOf(token), row?.sha256 ?? noDigest);
      if (row === undefined || !isRight) return undefined;
      // Requests do not depend on this: with a full disk or a read-only database, reads go on.
      if (row.is_use_to_note) await noteUse(db, id).catch(() => undefined);
      return knownScopes(row.scopes);
    },
  };
}

const isUseToNote = sql<boolean>`(last_used_at is null or last_used_at < now() - interval '1 minute')`;

async function findValid(db: Database, id: string) {
  return await db
    .selectFrom('tokens')
    .select(['sha256', 'scopes', isUseToNote.as('is_use_to_note')])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
}

/** Notes the use of a token; of many requests at once, one writes. */
async function noteUse(db: Database, id: string): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isUseToNote)
    .execute();
}
