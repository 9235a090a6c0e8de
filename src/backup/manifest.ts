import { hash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../lib/error-facts.ts';
import { unknownMigrations } from '../database/migrate.ts';
import { backupFailures } from '../messages/service/english.ts';
import { measureFile, type ObjectFacts } from '../object-store/measure.ts';
import { isKey } from '../object-store/object-store.ts';
import type { Tables } from '../database/tables/tables.ts';

/**
 * Tables of a backup in the order of their foreign keys; districts precede their version, which each change to them raises. Left out: holds
 * and leases; what is computed again (compiled styles at their first use, counts of datasets by triggers); events, which belong to the
 * database in which they happened.
 */
export const copiedTables = [
  'objects',
  'categories',
  'dataset_groups',
  'dataset_group_cadences',
  'form_templates',
  'observation_sets',
  'datasets',
  'dataset_denominators',
  'dataset_metadata',
  'dataset_origins',
  'dataset_files',
  'dataset_references',
  'source_files',
  'uploads',
  'upload_pieces',
  'observations',
  'districts',
  'former_districts',
  'district_changes',
  'districts_version',
  'jobs',
  'import_reports',
  'raster_statistics',
  'vector_features',
  'area_counts',
  'zonal_tables',
  'results',
  'landscape_runs',
  'landscape_run_nodes',
  'landscape_passes',
  'landscape_parts',
  'landscape_gaps',
  'input_moves',
  'landscape_layers',
  'landscape_layer_inputs',
  'landscape_polygons',
  'made_inputs',
  'landscape_run_records',
  'landscape_watch',
  'landscape_watch_drafts',
  'landscape_run_signatures',
  'landscape_signed_documents',
  'adopted_datasets',
  'webhooks',
  'webhook_secrets',
  'webhook_deliveries',
  'milestones',
  'tokens',
  'idempotency_keys',
] as const satisfies readonly (keyof Tables)[];

/** A table of earlier releases whose rows a backup of theirs has; migration 0055 renames it. */
const formerTables = ['sheet_atlases'] as const;
/** The tables that a backup may have, in the order in which they are restored. */
export const restorableTables = [...copiedTables, ...formerTables] as const;

export type CopiedTable = (typeof copiedTables)[number];

const manifestName = 'manifest.json';
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Facts = z.object({ sizeBytes: z.int().min(0), sha256: Sha256 });
const Key = z.string().refine(isKey);
const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: Sha256 })),
  tables: z.array(
    Facts.extend({
      name: z.enum(restorableTables),
      columns: z.array(z.string().regex(/^[a-z0-9_]+$/)).min(1),
    }),
  ),
  objects: z.array(Facts.extend({ key: Key })),
});
const Sealed = z.object({ sha256: Sha256, content: z.unknown() });

/** Contents of a complete backup. */
export type Manifest = z.infer<typeof Manifest>;
export type FileFacts = z.infer<typeof Facts>;

export const tablePath = (folder: string, name: string): string => join(folder, 'tables', `${name}.copy`);
export const objectPath = (folder: string, key: string): string => join(folder, 'objects', key);

/** Converts facts to the form in the manifest. */
export function writtenFacts({ sizeBytes, sha256 }: ObjectFacts): FileFacts {
  return { sizeBytes, sha256: sha256.toString('hex') };
}

/** Completes a backup by writing its manifest. All other files must already be durable. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const path = join(folder, manifestName);
  const partial = `${path}.partial`;
  {
    await using file = await open(partial, 'wx');
    await file.writeFile(JSON.stringify({ sha256: digestOf(content), content }));
    await file.sync();
  }
  await rename(partial, path);
  await syncFolder(folder);
}

/** Makes the directory entries of a folder durable (fsync). */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

/**
 * Reads a manifest and verifies the size and digest of every file that it lists.
 * @throws {Error} with a sentence if the folder is not a complete, undamaged backup that this version can restore.
 */
export async function readBackup(folder: string, signal: AbortSignal): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? new Error(backupFailures.noManifest(folder)) : error;
  });
  const manifest = parseManifest(folder, text);
  const unknown = await unknownMigrations(manifest.migrations);
  if (unknown.length > 0) throw new Error(backupFailures.newer(unknown));
  for (const table of manifest.tables) await proveFile(tablePath(folder, table.name), table, signal);
  for (const object of manifest.objects) await proveFile(objectPath(folder, object.key), object, signal);
  return manifest;
}

function parseManifest(folder: string, text: string): Manifest {
  const broken = (cause?: unknown): Error => new Error(backupFailures.brokenManifest(folder), { cause });
  try {
    const sealed = Sealed.parse(JSON.parse(text));
    if (digestOf(sealed.content) !== sealed.sha256) throw broken();
    return Manifest.parse(sealed.content);
  } catch (cause) {
    throw broken(cause);
  }
}

async function proveFile(path: string, facts: FileFacts, signal: AbortSignal): Promise<void> {
  const measured = await measureFile(path, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new Error(backupFailures.brokenFile(path), { cause });
  });
  if (!equalFacts(writtenFacts(measured), facts)) throw new Error(backupFailures.brokenFile(path));
}

/** Compares size and digest. */
export function equalFacts(a: FileFacts, b: FileFacts): boolean {
  return a.sizeBytes === b.sizeBytes && a.sha256 === b.sha256;
}

function digestOf(content: unknown): string {
  return hash('sha256', JSON.stringify(content), 'hex');
}

/** Removes the time limits of a copy, and makes its texts independent of server settings. */
export const copyLimits = `set local statement_timeout = 0; set local lock_timeout = '10min';
  set local idle_in_transaction_session_timeout = 0; set local datestyle = 'ISO, YMD';
  set local timezone = 'UTC'; set local bytea_output = 'hex'; set local extra_float_digits = 1`;

/** Quotes the names of columns for a statement. */
export function columnList(columns: readonly string[]): string {
  return columns.map((name) => `"${name}"`).join(', ');
}
