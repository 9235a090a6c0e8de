import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database, Tables, Transaction } from '../../database/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { dossierProblems } from '../../messages/dossier.ts';
import type { Author } from '../runs/record.ts';
import { NotCms, readSignedData, signersOf } from './cms.ts';
import type { DossierSignature } from './dossier-schema.ts';
import { readManifest } from './read-manifest.ts';

/** A signature that is stored, and the bytes that it is over. */
export interface StoredSignature {
  readonly revision: number;
  readonly cms: Buffer;
  readonly manifest: string;
}

type SignatureRow = Selectable<Tables['landscape_run_signatures']>;

/** Of a run; all of them stay in the database. */
const mostShown = 50;

/** Reads the signatures over a run, newest first; the first is in force. */
async function readSignatures(
  db: Database | Transaction,
  runId: string,
  limit: number,
): Promise<SignatureRow[]> {
  return await db
    .selectFrom('landscape_run_signatures')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('revision', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the signature in force; undefined when there is none. */
export async function findSignature(db: Database, runId: string): Promise<StoredSignature | undefined> {
  const [newest] = await readSignatures(db, runId, 1);
  return newest;
}

/** Returns the signatures over a run as answers show them, newest first. @param current SHA-256 of the manifest of now */
export async function listSignatures(
  db: Database,
  runId: string,
  current: string,
): Promise<DossierSignature[]> {
  const rows = await readSignatures(db, runId, mostShown);
  return rows.map((row) => toSignature(row, current));
}

function toSignature(row: SignatureRow, current: string): DossierSignature {
  const signed = Buffer.from(row.manifest);
  const manifestSha256 = hash('sha256', signed, 'hex');
  return {
    revision: row.revision,
    sha256: hash('sha256', row.cms, 'hex'),
    bytes: row.cms.length,
    manifest_sha256: manifestSha256,
    is_current: manifestSha256 === current,
    signers: signersOf(readSignedData(row.cms), signed),
    added_by: row.added_by,
    added_at: row.added_at.toISOString(),
  };
}

/**
 * Stores a signature over the manifest of a run, in force instead of the one before, which stays in the history; the same once more changes nothing.
 * @throws {Problem} as `readManifest`; `invalid` for what is not CMS, or is known to be over other bytes or by another key
 */
export async function replaceSignature(
  db: Database,
  runId: string,
  { cms, author }: { readonly cms: Buffer; readonly author: Author },
): Promise<DossierSignature> {
  const manifest = await readManifest(db, runId);
  checkSignature(cms, manifest);
  return await inTransaction(db, async (trx) => {
    await trx.selectFrom('landscape_runs').select('id').where('id', '=', runId).forNoKeyUpdate().execute();
    const [before] = await readSignatures(trx, runId, 1);
    const text = manifest.bytes.toString();
    if (before?.cms.equals(cms) === true && before.manifest === text)
      return toSignature(before, manifest.sha256);
    const row = await trx
      .insertInto('landscape_run_signatures')
      .values({
        run_id: runId,
        revision: (before?.revision ?? 0) + 1,
        cms,
        manifest: text,
        added_by: author.name,
        credentials: author.credentials,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toSignature(row, manifest.sha256);
  });
}

function checkSignature(
  cms: Buffer,
  { bytes, sha256 }: { readonly bytes: Buffer; readonly sha256: string },
): void {
  const signers = signersOf(readOrRefuse(cms), bytes);
  if (signers.length === 0) throw dossierProblems.noSigner();
  if (signers.some(({ digest }) => digest === 'wrong')) throw dossierProblems.otherBytes(sha256);
  const wrong = signers.find(({ signature }) => signature === 'wrong');
  if (wrong !== undefined) throw dossierProblems.wrongSignature(wrong.subject ?? '');
}

function readOrRefuse(cms: Buffer) {
  try {
    return readSignedData(cms);
  } catch (error) {
    throw error instanceof NotCms ? dossierProblems.notCms().because(error) : error;
  }
}
