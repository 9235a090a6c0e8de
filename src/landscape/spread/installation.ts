import { hash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';

/**
 * Returns the unique name of this database, which the first call creates. A restored dump gets another name, and so does a database with
 * this one as its template. A copy of the files of the server has the same name until its row is deleted.
 */
export async function installationOf(db: Database): Promise<string> {
  const id = (await readId(db)) ?? (await inTransaction(db, giveId));
  return hash('sha256', id, 'hex').slice(0, 16);
}

const ownDatabase = sql`(select oid from pg_database where datname = current_database())`;

async function readId(db: Database | Transaction): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from installations
    where database_oid = ${ownDatabase} and table_oid = tableoid and made_by = xmin`.execute(db);
  return rows[0]?.id;
}

async function giveId(trx: Transaction): Promise<string> {
  await sql`lock table installations in share row exclusive mode`.execute(trx);
  const given = await readId(trx); // another worker was faster
  if (given !== undefined) return given;
  const id = randomUUID();
  await sql`delete from installations`.execute(trx);
  await sql`insert into installations (id, database_oid, table_oid, made_by)
    values (${id}, ${ownDatabase}, 'installations'::regclass, pg_current_xact_id()::xid)`.execute(trx);
  return id;
}
