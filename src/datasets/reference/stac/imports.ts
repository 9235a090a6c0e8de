import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database, Transaction } from '../../../database/tables/tables.ts';
import { inTransaction } from '../../../database/transaction.ts';
import { storedMessage } from '../../../geo/findings.ts';
import { enqueueJob } from '../../../jobs/enqueue.ts';
import { makerOf, resultOf } from '../../../jobs/result-kinds.ts';
import { jsonText } from '../../../jobs/results.ts';
import { invalidFields, Problem } from '../../../lib/errors.ts';
import { Message, messageText } from '../../../lib/message.ts';
import { stacFaults, stacProblems } from '../../../messages/datasets/english.ts';
import { type Language, translate } from '../../../messages/languages/translate.ts';
import type { RemoteFiles } from '../../../remote/remote-files.ts';
import { FreeText, Guid, maxNameCharacters } from '../../../validation/fields.ts';
import { createReference, type ReferenceDependencies } from '../create-reference.ts';
import { findMissingReferences } from '../../references.ts';
import { mostItems, mostRefused, type StacItem, walkItems } from './catalogue.ts';

const Input = z.object({
  address: z.string(),
  asset: z.string(),
  categoryId: z.string(),
  groupId: z.string(),
  unit: z.string().nullable(),
});
type Input = z.infer<typeof Input>;

const Content = z.object({
  title: z.string().nullable(),
  /** Datasets by item, those of earlier imports as well. */
  registered: z.array(z.object({ item: z.string(), datasetId: z.string() })),
  refused: z.array(z.object({ item: z.string(), reason: z.string() })),
  isComplete: z.boolean(),
});
type Content = z.infer<typeof Content>;

const imports = resultOf({
  name: 'stac-import',
  input: Input,
  content: z.object({ content: jsonText(Content) }),
  kept: sql`interval '30 days'`,
  notNow: stacProblems.notNow,
});

/** The files of a STAC item or collection for a group. */
export const StacImportInput = z
  .object({
    address: FreeText.describe(
      'https address of a STAC item, an item collection, a collection or a catalogue, static or of an API',
    ),
    asset: FreeText.describe('Key of the asset that is registered of each item'),
    category_id: Guid.describe('An existing category'),
    dg_id: Guid.describe('The dataset group of the datasets'),
    unit: FreeText.optional().describe('Unit of the values'),
  })
  .meta({
    id: 'StacFiles',
    description: 'Where the items are, which file of each is registered, and the group',
    examples: [
      {
        address: 'https://archive.example/stac/collection.json',
        asset: 'visual',
        category_id: '2f6c1f0e-8a4b-4b7e-9a53-6d0c8f1e7b21',
        dg_id: '0f0c9b0e-5b6a-4a53-8f43-0a1f6d1f7c02',
      },
    ],
  });
export type StacImportInput = z.infer<typeof StacImportInput>;

export const StacImport = z
  .object({
    id: Guid.describe('Id of the import'),
    state: z.enum(['pending', 'made', 'failed']).describe('`pending` while a job registers the items'),
    address: z.string().describe('Address of the items'),
    asset: z.string().describe('Key of their asset'),
    title: z.string().nullable().describe('Title of the collection; null if it has none'),
    registered: z
      .array(
        z.object({
          item: z.string().describe('Id of the item'),
          dataset_id: Guid.describe('Its dataset, also if an earlier import has registered it'),
        }),
      )
      .describe('The items so far that are datasets'),
    refused: z
      .array(
        z.object({
          item: z.string().describe('Id of the item, or the address of a document that could not be read'),
          reason: z.string().describe('Why it is not registered, in the language of the answer'),
        }),
      )
      .describe('The items so far that could not be registered'),
    complete: z
      .boolean()
      .describe(
        `False if there are more than ${mostItems} items, or ${mostRefused} refusals: what follows is not read`,
      ),
    failure: z.string().nullable().describe('Why the import failed, in the language of the answer'),
  })
  .meta({
    id: 'StacImport',
    description: 'The registration of the items of a STAC collection',
    examples: [
      {
        id: '4c1d0c55-7f6e-4f0a-9d57-3b8f0a0c7a12',
        state: 'made',
        address: 'https://archive.example/stac/collection.json',
        asset: 'visual',
        title: 'Relief',
        registered: [{ item: 'n51e066', dataset_id: '7b0f9c52-3c1e-4f0a-9d55-1f6f4d1b2a10' }],
        refused: [],
        complete: true,
        failure: null,
      },
    ],
  });
export type StacImport = z.infer<typeof StacImport>;

interface Dependencies extends ReferenceDependencies {
  readonly remoteFiles: Pick<RemoteFiles, 'isOn' | 'probe' | 'readDocument'>;
}

/**
 * Enqueues the registration of items; the same request while it is under way returns the same import.
 * @throws {Problem} `invalid` for a category or group that does not exist.
 */
export async function startImport(
  { db, messageQueue }: Pick<Dependencies, 'db' | 'messageQueue'>,
  wanted: StacImportInput,
): Promise<string> {
  const missing = await findMissingReferences(db, wanted);
  if (Object.keys(missing).length > 0) throw invalidFields(missing);
  const input: Input = {
    address: wanted.address,
    asset: wanted.asset,
    categoryId: wanted.category_id,
    groupId: wanted.dg_id,
    unit: wanted.unit ?? null,
  };
  const text = JSON.stringify(input);
  const { id, jobId } = await inTransaction(db, async (trx) => {
    await lock(trx, `stac-import ${text}`);
    const { rows } = await sql<{ id: string }>`select id from results
      where kind = ${imports.name} and state = 'pending' and input = ${text}`.execute(trx);
    const [pending] = rows;
    if (pending !== undefined) return { id: pending.id, jobId: undefined };
    const id = randomUUID();
    // A repeated request looks again, because the collection may have more items by now.
    await sql`insert into results (id, key, kind, state, input)
      values (${id}, ${`stac-import ${id}`}, ${imports.name}, 'pending', ${text})`.execute(trx);
    return { id, jobId: await enqueueJob(trx, 'make-result', id) };
  });
  if (jobId !== undefined) await messageQueue.notify(jobId, 'datasets');
  return id;
}

/** Serializes transactions about a subject. */
async function lock(trx: Transaction, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(trx);
}

/** Returns an import with what it has registered so far. @throws {Problem} `not_found` */
export async function readImport(db: Database, id: string, language: Language): Promise<StacImport> {
  const { rows } = await sql<{
    state: StacImport['state'];
    input: string;
    content: string | null;
    failure: string | null;
  }>`select state, input, coalesce(content, progress) as content, failure from results where kind = ${imports.name} and id = ${id}`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw stacProblems.noImport();
  const { address, asset } = Input.parse(JSON.parse(row.input));
  const content = row.content === null ? nothing : imports.content.parse({ content: row.content }).content;
  return {
    id,
    state: row.state,
    address,
    asset,
    title: content.title,
    registered: content.registered.map(({ item, datasetId }) => ({ item, dataset_id: datasetId })),
    refused: content.refused.map(({ item, reason }) => ({
      item,
      reason: translate(storedMessage(reason), language),
    })),
    complete: content.isComplete,
    failure: row.failure === null ? null : translate(storedMessage(row.failure), language),
  };
}

const nothing: Content = { title: null, registered: [], refused: [], isComplete: true };
/** Items after which the progress is stored. */
const itemsPerNote = 5;

/**
 * Registers the chosen asset of each item in its group. An attempt that follows another one, or another import, finds what is registered
 * by group and address, and registers the rest.
 */
export const createImportMaker = (dependencies: Dependencies) =>
  makerOf(imports, async (attempt, { input }) => {
    const { db, remoteFiles } = dependencies;
    const { signal } = attempt;
    const content = { ...nothing, registered: [...nothing.registered], refused: [...nothing.refused] };
    const note = async (): Promise<void> =>
      await attempt.fenced(async (trx) => {
        await sql`update results set progress = ${JSON.stringify(content)}
          where id = ${attempt.refId} and state = 'pending'`.execute(trx);
      });
    const refuse = (item: string, reason: Message): void =>
      void content.refused.push({ item, reason: messageText(reason) });
    let items = 0;
    for await (const met of walkItems(remoteFiles.readDocument, input.address, signal)) {
      if ('title' in met) content.title ??= met.title;
      else if (items === mostItems || content.refused.length === mostRefused) {
        content.isComplete = false;
        break;
      } else if ('refusal' in met) refuse(met.place, met.refusal);
      else {
        items += 1;
        const done = await registerItem(dependencies, met.item, input);
        if ('datasetId' in done) content.registered.push({ item: met.item.id, datasetId: done.datasetId });
        else refuse(met.item.id, done.refusal);
        if (items % itemsPerNote === 0) await note();
      }
      signal.throwIfAborted();
    }
    if (!(await hasGroup(db, input.groupId))) return undefined;
    return { content: JSON.stringify(content) };
  });

async function hasGroup(db: Database, id: string): Promise<boolean> {
  const found = await db.selectFrom('dataset_groups').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}

/** The file was registered meanwhile by another import. */
class AlreadyRegistered extends Error {
  override readonly name = 'AlreadyRegistered';
  readonly datasetId: string;
  constructor(datasetId: string) {
    super('the file is registered');
    this.datasetId = datasetId;
  }
}

async function registerItem(
  dependencies: Dependencies,
  { id, startDate, endDate, assets }: StacItem,
  { asset, categoryId, groupId, unit }: Input,
): Promise<{ readonly datasetId: string } | { readonly refusal: Message }> {
  const address = assets.get(asset)?.address;
  if (address === undefined) return { refusal: stacFaults.noAsset(asset) };
  const known = await findRegistered(dependencies.db, groupId, address);
  if (known !== undefined) return { datasetId: known };
  const body = {
    address,
    category_id: categoryId,
    dg_id: groupId,
    name: [...id].slice(0, maxNameCharacters).join(''),
    ...(unit === null ? {} : { unit }),
    start_date: startDate,
    end_date: endDate,
  };
  try {
    const row = await createReference(dependencies, body, async (trx, made) => {
      await lock(trx, `reference ${groupId} ${address}`);
      const other = await findRegistered(trx, groupId, address, made.id);
      if (other !== undefined) throw new AlreadyRegistered(other);
    });
    return { datasetId: row.id };
  } catch (error) {
    if (error instanceof AlreadyRegistered) return { datasetId: error.datasetId };
    if (!(error instanceof Problem)) throw error;
    const [fault] = Object.values(error.fields ?? {});
    return { refusal: fault ?? new Message(error.message, error.sentence) };
  }
}

/** Returns the dataset of a group whose file is at an address. */
async function findRegistered(
  db: Database | Transaction,
  groupId: string,
  address: string,
  except?: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('dataset_references')
    .innerJoin('datasets', 'datasets.id', 'dataset_references.dataset_id')
    .select('datasets.id')
    .where('datasets.dg_id', '=', groupId)
    .where('dataset_references.address', '=', address)
    .$if(except !== undefined, (query) => query.where('datasets.id', '!=', except ?? ''))
    .executeTakeFirst();
  return found?.id;
}
