import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PendingResult } from '../../areas/area-counts.ts';
import type { Database } from '../../database/tables.ts';
import { dossierProblems } from '../../messages/dossier.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { fileProblems } from '../../messages/request.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import { type Document, type DossierDependencies, documentsOf } from './documents.ts';
import type { Dossier } from './dossier-schema.ts';
import type { DossierContents, DossierManifest, DossierPart } from './manifest-schema.ts';
import { type ReadManifest, readManifest, type StoredObject } from './read-manifest.ts';
import { readme } from './readme.ts';
import { findSignature, listSignatures } from './signatures.ts';
import { type ArchiveSource, writeArchive } from './write-archive.ts';
import { archiveBytes } from '../../lib/zip-layout.ts';

/** A dossier that can be sent: all of its bytes follow from what is here. */
export interface ReadyDossier {
  readonly isPending: false;
  /** Equal ones have equal bytes. */
  readonly etag: string;
  readonly bytes: number;
  /** Streams the file, whose objects are held to size and digest. @throws {Problem} `not_found` when an object is gone before it begins */
  open(): Promise<Readable>;
}

interface DossierAsked {
  readonly runId: string;
  readonly parts: readonly DossierPart[];
  readonly language: Language;
}

/** Names and objects of the rasters that are asked for. */
interface StoredMember extends StoredObject {
  readonly name: string;
}

/** A part of the rasters, and the codes of those that are gone. */
interface Part {
  readonly members: readonly StoredMember[];
  readonly missing: readonly string[];
}

/**
 * Prepares the dossier of a run, or has areas and balance counted first.
 * @throws {Problem} as `readManifest`; `conflict` when rasters that are asked for were deleted
 */
export async function dossierOf(
  dependencies: DossierDependencies,
  { runId, parts, language }: DossierAsked,
): Promise<ReadyDossier | PendingResult> {
  const read = await readManifest(dependencies.db, runId);
  const asked = parts.map((part) => partOf(read, part));
  const missing = asked.flatMap((part) => part.missing);
  if (missing.length > 0) throw dossierProblems.rastersGone(missing);
  const made = await documentsOf(dependencies, read, language);
  if (made.isPending) return made;
  const documents = [
    { name: 'README.txt', content: Buffer.from(readme) },
    { name: manifestName, content: read.bytes },
    ...(await signatureDocuments(dependencies.db, read)),
    ...made.documents,
  ];
  const rasters = asked.flatMap(({ members }) => members);
  const contents: DossierContents = {
    format: 'steppe-dossier-contents',
    version: 1,
    run_id: runId,
    with: [...parts],
    left_out: [...made.leftOut],
    members: [
      ...documents.map(factsOf),
      ...rasters.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    ],
  };
  const listed = Buffer.from(canonicalJson(contents));
  return readyDossier(
    dependencies.objectStore,
    [{ name: contentsName, content: listed }, ...documents],
    rasters,
  );
}

export const manifestName = 'manifest.json';
export const contentsName = 'contents.json';
export const signatureName = 'signature.p7s';
export const signedManifestName = 'signed-manifest.json';
export const outputName = (code: string): string => `cogs/${code}.tif`;
export const inputName = (group: string): string => `inputs/${group}/cog.tif`;
export const originalName = (group: string): string => `inputs/${group}/original.tif`;

/** The manifest that was signed lies beside the signature where it is another one than that of now. */
async function signatureDocuments(
  db: Database,
  { manifest, bytes }: ReadManifest,
): Promise<readonly Document[]> {
  const signature = await findSignature(db, manifest.run.id);
  if (signature === undefined) return [];
  const signed = Buffer.from(signature.manifest);
  return [
    { name: signatureName, content: signature.cms },
    ...(signed.equals(bytes) ? [] : [{ name: signedManifestName, content: signed }]),
  ];
}

function factsOf({ name, content }: Document) {
  return { name, bytes: content.length, sha256: hash('sha256', content, 'hex') };
}

function readyDossier(
  store: ObjectStore,
  documents: readonly Document[],
  rasters: readonly StoredMember[],
): ReadyDossier {
  const [contents] = documents;
  const sources = (signal: AbortSignal): ArchiveSource[] => [
    ...documents.map((document) => ({ ...document, ...factsOf(document) })),
    ...rasters.map(({ name, bytes, sha256, key }) => ({
      name,
      bytes,
      sha256,
      open: async () => await store.read(key, undefined, { signal }),
    })),
  ];
  return {
    isPending: false,
    etag: `"${hash('sha256', contents?.content ?? '', 'hex').slice(0, 32)}"`,
    bytes: archiveBytes([
      ...documents.map(({ name, content }) => ({ name, bytes: content.length, isStreamed: false })),
      ...rasters.map(({ name, bytes }) => ({ name, bytes, isStreamed: true })),
    ]),
    async open() {
      for (const { key, bytes } of rasters) if ((await store.size(key)) !== bytes) throw fileProblems.gone();
      const over = new AbortController();
      const stream = Readable.from(writeArchive(sources(over.signal)), { objectMode: false });
      stream.once('close', () => over.abort());
      return stream;
    },
  };
}

/** Finds the objects of outputs, or of inputs and their originals, where these are other files. */
function partOf({ manifest, files }: ReadManifest, part: DossierPart): Part {
  const members: StoredMember[] = [];
  const missing: string[] = [];
  if (part === 'cogs') {
    for (const { code, output } of manifest.nodes) {
      const cog = files.get(output.dataset_id)?.cog;
      if (cog) members.push({ name: outputName(code), ...cog });
      else missing.push(code);
    }
    return { members, missing };
  }
  for (const { group, dataset_id: id } of manifest.inputs) {
    const { cog = null, original = null } = files.get(id) ?? {};
    if (cog === null || original === null) missing.push(group);
    else members.push(...rastersOfInput(group, { cog, original }));
  }
  return { members, missing };
}

function rastersOfInput(
  group: string,
  { cog, original }: { readonly cog: StoredObject; readonly original: StoredObject },
): StoredMember[] {
  const raster = { name: inputName(group), ...cog };
  return original.sha256 === cog.sha256 ? [raster] : [raster, { name: originalName(group), ...original }];
}

/** The names and digests of the rasters that a manifest promises for a part, as `partOf` has them. */
export function promisedRasters(
  { inputs, nodes }: DossierManifest,
  part: DossierPart,
): readonly { readonly name: string; readonly sha256: string | undefined }[] {
  if (part === 'cogs')
    return nodes.map(({ code, output }) => ({ name: outputName(code), sha256: output.cog?.sha256 }));
  return inputs.flatMap(({ group, cog, original }) => [
    { name: inputName(group), sha256: cog?.sha256 },
    ...(original?.sha256 === cog?.sha256 ? [] : [{ name: originalName(group), sha256: original?.sha256 }]),
  ]);
}

/** Describes the dossier of a run without making it. @throws {Problem} as `readManifest` */
export async function describeDossier(db: Database, runId: string): Promise<Dossier> {
  const read = await readManifest(db, runId);
  const sizeOf = (part: DossierPart) => {
    const { members, missing } = partOf(read, part);
    return {
      files: members.length,
      bytes: members.reduce((sum, { bytes }) => sum + bytes, 0),
      missing: [...missing],
    };
  };
  return {
    run_id: runId,
    manifest_sha256: read.sha256,
    cogs: sizeOf('cogs'),
    inputs: sizeOf('inputs'),
    signatures: await listSignatures(db, runId, read.sha256),
  };
}
