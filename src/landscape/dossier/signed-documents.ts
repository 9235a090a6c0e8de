import type { Database, Transaction } from '../../database/tables/tables.ts';
import type { Document } from './documents.ts';
import { type DossierInventory, sha256Of, type WrittenDocuments } from './inventory.ts';

/** Stores the documents that a signature covers, each once per run. */
export async function keepSignedDocuments(
  trx: Transaction,
  runId: string,
  documents: readonly Document[],
): Promise<void> {
  const rows = documents.map(({ content }) => ({
    run_id: runId,
    sha256: Buffer.from(sha256Of(content), 'hex'),
    content,
  }));
  await trx
    .insertInto('landscape_signed_documents')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads the documents of an inventory as they were signed. */
export async function readSignedDocuments(
  db: Database,
  { run_id: runId, language, left_out: leftOut, members }: DossierInventory,
): Promise<WrittenDocuments> {
  const rows = await db
    .selectFrom('landscape_signed_documents')
    .select(['sha256', 'content'])
    .where('run_id', '=', runId)
    .where(
      'sha256',
      'in',
      members.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
    )
    .execute();
  const contents = new Map(rows.map(({ sha256, content }) => [sha256.toString('hex'), content]));
  const documents = members.map(({ name, sha256 }) => {
    const content = contents.get(sha256);
    if (content === undefined) throw new Error(`the signed document ${name} of run ${runId} is not there`);
    return { name, content };
  });
  return { language, documents, leftOut };
}
