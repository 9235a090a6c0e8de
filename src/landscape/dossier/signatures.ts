import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database, Tables, Transaction } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { dossierProblems } from '../../messages/runs/english.ts';
import type { Author } from '../runs/record.ts';
import { NotCms, readSignedData, signersOf } from './cms.ts';
import type { DossierSignature, DossierSigner } from './dossier-schema.ts';
import type { Document } from './documents.ts';
import { type DossierInventory, names, parseInventory } from './inventory.ts';
import { keepSignedDocuments } from './signed-documents.ts';

/** A stored signature, and the bytes that it covers. */
export interface StoredSignature {
  readonly revision: number;
  readonly cms: Buffer;
  /** A manifest, or an inventory. */
  readonly signed: string;
  /** The inventory that it covers; undefined for a manifest. */
  readonly inventory: DossierInventory | undefined;
}

/** Document to sign. */
export interface Signed {
  readonly bytes: Buffer;
  /** The documents of an inventory; empty for a manifest. */
  readonly documents: readonly Document[];
  /** SHA-256 of the current manifest. */
  readonly manifestSha256: string;
}

type SignatureRow = Selectable<Tables['landscape_run_signatures']>;

/** Limit of the signatures that an answer lists; all of them stay in the database. */
const mostShown = 50;

/** Reads the signatures of a run, newest first. */
async function readSignatures(db: Database | Transaction, runId: string): Promise<SignatureRow[]> {
  return await db
    .selectFrom('landscape_run_signatures')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('revision', 'desc')
    .limit(mostShown)
    .execute();
}

/** Returns the newest verified signature, otherwise the newest: a signature that cannot be verified never replaces a verified one. */
function inForce(rows: readonly SignatureRow[]): SignatureRow | undefined {
  return rows.find((row) => signersIn(row).every(isRight)) ?? rows[0];
}

const signersIn = ({ cms, manifest }: SignatureRow): DossierSigner[] =>
  signersOf(readSignedData(cms), Buffer.from(manifest));

const isRight = ({ digest, signature, validity }: DossierSigner): boolean =>
  digest === 'right' && signature === 'right' && validity !== 'wrong';

/** Returns the current signature, or that of a revision; undefined without one. */
export async function findSignature(
  db: Database,
  runId: string,
  revision?: number,
): Promise<StoredSignature | undefined> {
  const rows = await readSignatures(db, runId);
  const row = revision === undefined ? inForce(rows) : rows.find((each) => each.revision === revision);
  if (row === undefined) return undefined;
  const { cms, manifest: signed } = row;
  return { revision: row.revision, cms, signed, inventory: parseInventory(signed) };
}

/** Returns the signatures of a run for answers, newest first. @param current SHA-256 of the current manifest */
export async function listSignatures(
  db: Database,
  runId: string,
  current: string,
): Promise<DossierSignature[]> {
  const rows = await readSignatures(db, runId);
  const chosen = inForce(rows);
  return rows.map((row) => toSignature(row, { current, isInForce: row === chosen }));
}

function toSignature(
  row: SignatureRow,
  { current, isInForce }: { readonly current: string; readonly isInForce: boolean },
): DossierSignature {
  const signedSha256 = hash('sha256', row.manifest, 'hex');
  const inventory = parseInventory(row.manifest);
  const named = inventory?.members.find(({ name }) => name === names.manifest);
  const manifestSha256 = inventory === undefined ? signedSha256 : (named?.sha256 ?? '');
  return {
    revision: row.revision,
    sha256: hash('sha256', row.cms, 'hex'),
    bytes: row.cms.length,
    over: inventory === undefined ? 'manifest' : 'inventory',
    language: inventory?.language ?? null,
    signed_sha256: signedSha256,
    manifest_sha256: manifestSha256,
    is_current: manifestSha256 === current,
    is_in_force: isInForce,
    signers: signersIn(row),
    added_by: row.added_by,
    added_at: row.added_at.toISOString(),
  };
}

/**
 * Stores a signature as a new revision; storing the same signature again changes nothing.
 * @throws {Problem} `invalid` for data that are not CMS, or for a signature that demonstrably covers other bytes, was made by another key
 * or is outside its period of validity
 */
export async function replaceSignature(
  db: Database,
  runId: string,
  { cms, author, signed }: { readonly cms: Buffer; readonly author: Author; readonly signed: Signed },
): Promise<DossierSignature> {
  checkSignature(cms, signed.bytes);
  return await inTransaction(db, async (trx) => {
    await trx.selectFrom('landscape_runs').select('id').where('id', '=', runId).forNoKeyUpdate().execute();
    const before = await readSignatures(trx, runId);
    const text = signed.bytes.toString();
    const [newest] = before;
    const same = newest?.cms.equals(cms) === true && newest.manifest === text ? newest : undefined;
    const row = same ?? (await insert(trx, runId, { cms, text, author, signed, before: newest }));
    const chosen = inForce(same === undefined ? [row, ...before] : before);
    return toSignature(row, { current: signed.manifestSha256, isInForce: row === chosen });
  });
}

interface Inserted {
  readonly cms: Buffer;
  readonly text: string;
  readonly author: Author;
  readonly signed: Signed;
  readonly before: SignatureRow | undefined;
}

async function insert(
  trx: Transaction,
  runId: string,
  { cms, text, author, signed, before }: Inserted,
): Promise<SignatureRow> {
  if (signed.documents.length > 0) await keepSignedDocuments(trx, runId, signed.documents);
  return await trx
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
}

function checkSignature(cms: Buffer, bytes: Buffer): void {
  const signers = signersOf(readOrRefuse(cms), bytes);
  if (signers.length === 0) throw dossierProblems.noSigner();
  if (signers.some(({ digest }) => digest === 'wrong'))
    throw dossierProblems.otherBytes(hash('sha256', bytes, 'hex'));
  const wrong = signers.find(({ signature }) => signature === 'wrong');
  if (wrong !== undefined) throw dossierProblems.wrongSignature(wrong.subject ?? '');
  const early = signers.find(({ validity }) => validity === 'wrong');
  if (early !== undefined)
    throw dossierProblems.notValidThen(early.signed_at ?? '', early.valid_from ?? '', early.valid_to ?? '');
}

function readOrRefuse(cms: Buffer) {
  try {
    return readSignedData(cms);
  } catch (error) {
    throw error instanceof NotCms ? dossierProblems.notCms().because(error) : error;
  }
}
