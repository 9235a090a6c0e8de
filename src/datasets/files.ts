import { sql } from 'kysely';
import type {
  DatasetFileKind,
  FileEncoding,
  ReferenceState,
  Transaction,
} from '../database/tables/tables.ts';
import { publishObject, retireObjects } from '../object-store/ledger.ts';

/** A stored object of a dataset. */
export interface DatasetFile {
  readonly kind: DatasetFileKind;
  readonly encoding: FileEncoding;
  readonly key: string;
  /** Version of the districts in the file; null for a file without districts. */
  readonly madeFrom: number | null;
  /** Present for an original that stays on another server. */
  readonly reference?: FileReference;
}

/** The place of a file that stays on another server, and the result of the last look at it. */
export interface FileReference {
  readonly address: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly state: ReferenceState;
  /** A message as JSON; null while the file is unchanged. */
  readonly reason: string | null;
  /** A time as PostgreSQL writes it in JSON. */
  readonly checkedAt: string;
  readonly isCopying: boolean;
}

export type NewFile = Pick<DatasetFile, 'kind' | 'key'> & Partial<DatasetFile>;

/** Selects the files of each dataset in a query of `datasets`. */
export const filesOfDataset = sql<readonly DatasetFile[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'kind', kind, 'encoding', encoding, 'key', object_key, 'madeFrom', made_from) || coalesce((
      select jsonb_build_object('reference', jsonb_build_object('address', address, 'state', state, 'reason', reason,
        'etag', etag, 'lastModified', last_modified, 'checkedAt', checked_at, 'isCopying', is_copying))
      from dataset_references known where kind = 'original' and known.dataset_id = datasets.id), '{}')), '[]')
  from dataset_files where dataset_id = datasets.id)`.as('files');

/** Selects the style key of a dataset: its own, otherwise its group's. The query joins `dataset_groups`. */
export const styleKeyOfDataset = sql<
  string | null
>`coalesce((select object_key from dataset_files where dataset_id = datasets.id and kind = 'sld'), dataset_groups.sld_storage_key)`;

/** Returns the key of the unencoded file; null if there is none. */
export function findFile(files: readonly DatasetFile[], kind: DatasetFileKind): string | null {
  return findForms(files, kind).key;
}

/** Returns the key of the original file, which every dataset has. */
export function originalOf(files: readonly DatasetFile[]): string {
  const key = findFile(files, 'original');
  if (key === null) throw new Error('a dataset has no original');
  return key;
}

/** Returns the keys of a file in each encoding, null for a missing one, and its version of the districts. */
export function findForms(files: readonly DatasetFile[], kind: DatasetFileKind) {
  const find = (encoding: FileEncoding) =>
    files.find((file) => file.kind === kind && file.encoding === encoding);
  const plain = find('identity');
  const encodedKeys = { gzip: find('gzip')?.key ?? null, br: find('br')?.key ?? null };
  return { key: plain?.key ?? null, encodedKeys, madeFrom: plain?.madeFrom ?? null };
}

/** Adds files of new kinds to a dataset, and publishes their drafts. */
export async function addFiles(
  trx: Transaction,
  datasetId: string,
  files: readonly NewFile[],
): Promise<readonly DatasetFile[]> {
  const added = files.map((file) => ({ encoding: 'identity', madeFrom: null, ...file }) as const);
  if (added.length === 0) return [];
  const rows = added.map(({ kind, encoding, key: object_key, madeFrom: made_from }) => {
    return { dataset_id: datasetId, kind, encoding, object_key, made_from };
  });
  await trx.insertInto('dataset_files').values(rows).execute();
  for (const key of new Set(files.map((file) => file.key))) await publishObject(trx, key); // a computed raster is its own COG
  return added;
}

/**
 * Replaces the files of a dataset of the same kinds, and removes those of the kinds `gone`. The transaction holds the lock of the dataset.
 * @returns the keys of the retired objects
 */
export async function replaceFiles(
  trx: Transaction,
  datasetId: string,
  files: readonly NewFile[],
  gone: readonly DatasetFileKind[] = [],
): Promise<string[]> {
  const before = await trx
    .deleteFrom('dataset_files')
    .where('dataset_id', '=', datasetId)
    .where('kind', 'in', [...gone, ...files.map(({ kind }) => kind)])
    .returning('object_key')
    .execute();
  await addFiles(trx, datasetId, files);
  return await retireObjects(
    trx,
    before.map(({ object_key: key }) => key),
  );
}

/**
 * Returns the view of a newly converted raster, without a mesh if the raster can never be drawn.
 * @param raster.needsView true if the api cannot draw from its own COG
 */
export function firstView({
  meshKey,
  needsView,
}: {
  readonly meshKey: string | undefined;
  readonly needsView: boolean;
}) {
  if (meshKey === undefined) return { state: 'none', files: [] } as const;
  return { state: needsView ? 'pending' : 'made', files: [{ kind: 'view_mesh', key: meshKey }] } as const;
}
