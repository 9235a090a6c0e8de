import { Readable } from 'node:stream';
import type { PendingResult } from '../../jobs/results.ts';
import type { Database } from '../../database/tables/tables.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import { archiveBytes } from '../../lib/formats/zip-layout.ts';
import { dossierProblems } from '../../messages/runs/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { fileProblems } from '../../messages/request/english.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { type Document, type DossierDependencies, documentsOf } from './documents.ts';
import type { Dossier } from './dossier-schema.ts';
import { factsOfDocument, inventoryOf, names, sha256Of, type WrittenDocuments } from './inventory.ts';
import type { DossierContents, DossierPart } from './manifest-schema.ts';
import { partOf, type StoredMember } from './rasters.ts';
import { type ReadManifest, readManifest } from './read-manifest.ts';
import { readme } from './readme.ts';
import { findSignature, listSignatures } from './signatures.ts';
import { readSignedDocuments } from './signed-documents.ts';
import { type ArchiveSource, writeArchive } from './write-archive.ts';

/** A dossier that is ready to be sent; all of its bytes are determined. */
export interface ReadyDossier {
  readonly isPending: false;
  /** Equal ETags mean equal bytes. */
  readonly etag: string;
  readonly bytes: number;
  /** The language of its documents: the requested one, or that of the signed documents. */
  readonly language: Language;
  /**
   * Streams the file; size and digest of its objects are verified.
   * @throws {Problem} `not_found` when an object is missing at the start
   */
  open(): Promise<Readable>;
}

interface DossierAsked {
  readonly runId: string;
  readonly parts: readonly DossierPart[];
  readonly language: Language;
  /** True for the current documents without a signature, although other documents were signed. */
  readonly isOfNow: boolean;
}

/** The documents of a dossier, and the members with their signature. */
interface Written extends WrittenDocuments {
  readonly isPending: false;
  readonly signing: readonly Document[];
}

/**
 * Prepares the dossier of a run, or has areas and balance counted first. Once documents are signed, the dossier contains those.
 * @throws {Problem} as `readManifest`; `conflict` when requested rasters were deleted
 */
export async function dossierOf(
  dependencies: DossierDependencies,
  { runId, parts, language, isOfNow }: DossierAsked,
): Promise<ReadyDossier | PendingResult> {
  const { db, objectStore } = dependencies;
  const read = await readManifest(db, runId);
  const asked = parts.map((part) => partOf(read, part));
  const missing = asked.flatMap((part) => part.missing);
  if (missing.length > 0) throw dossierProblems.rastersGone(missing);
  const written = isOfNow
    ? await documentsOfNow(dependencies, read, language)
    : await documentsInForce(dependencies, read, language);
  if (written.isPending) return written;
  const documents = [...written.documents, ...written.signing];
  const rasters = asked.flatMap(({ members }) => members);
  const contents: DossierContents = {
    format: 'steppe-dossier-contents',
    version: 1,
    run_id: runId,
    with: [...parts],
    left_out: [...written.leftOut],
    members: [
      ...documents.map(factsOfDocument),
      ...rasters.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    ],
  };
  const listed = { name: names.contents, content: Buffer.from(canonicalJson(contents)) };
  return readyDossier(objectStore, { listed, documents, rasters, language: written.language });
}

/** Returns the signed documents; otherwise the current ones, with a signature of the manifest if it exists. */
async function documentsInForce(
  dependencies: DossierDependencies,
  read: ReadManifest,
  language: Language,
): Promise<Written | PendingResult> {
  const { db } = dependencies;
  const signature = await findSignature(db, read.manifest.run.id);
  if (signature === undefined) return await documentsOfNow(dependencies, read, language);
  const cms = { name: names.signature, content: signature.cms };
  const signed = Buffer.from(signature.signed);
  if (signature.inventory !== undefined) {
    const kept = await readSignedDocuments(db, signature.inventory);
    return { isPending: false, ...kept, signing: [{ name: names.inventory, content: signed }, cms] };
  }
  const now = await documentsOfNow(dependencies, read, language);
  if (now.isPending) return now;
  // The signed manifest is added if it differs from the current one.
  const signing = signed.equals(read.bytes) ? [cms] : [cms, { name: names.signedManifest, content: signed }];
  return { ...now, signing };
}

/** Creates all current documents, or has their figures counted first. */
export async function documentsOfNow(
  dependencies: DossierDependencies,
  read: ReadManifest,
  language: Language,
): Promise<Written | PendingResult> {
  const made = await documentsOf(dependencies, read, language);
  if (made.isPending) return made;
  const documents = [
    { name: names.readme, content: Buffer.from(readme) },
    { name: names.manifest, content: read.bytes },
    ...made.documents,
  ];
  return { isPending: false, language, documents, leftOut: made.leftOut, signing: [] };
}

/** Returns the inventory of the current documents for signing, or has their figures counted first. @throws {Problem} as `readManifest` */
export async function inventoryOfNow(
  dependencies: DossierDependencies,
  runId: string,
  language: Language,
): Promise<{ readonly isPending: false; readonly bytes: Buffer } | PendingResult> {
  const written = await documentsOfNow(dependencies, await readManifest(dependencies.db, runId), language);
  return written.isPending ? written : { isPending: false, bytes: inventoryOf(runId, written) };
}

interface FileParts {
  /** The list of all other members. */
  readonly listed: Document;
  readonly documents: readonly Document[];
  readonly rasters: readonly StoredMember[];
  readonly language: Language;
}

function readyDossier(store: ObjectStore, { listed, documents, rasters, language }: FileParts): ReadyDossier {
  const all = [listed, ...documents];
  const sources = (signal: AbortSignal): ArchiveSource[] => [
    ...all.map((document) => ({ ...document, ...factsOfDocument(document) })),
    ...rasters.map(({ name, bytes, sha256, key }) => ({
      name,
      bytes,
      sha256,
      open: async () => await store.read(key, undefined, { signal }),
    })),
  ];
  return {
    isPending: false,
    etag: `"${sha256Of(listed.content).slice(0, 32)}"`,
    bytes: archiveBytes([
      ...all.map(({ name, content }) => ({ name, bytes: content.length, isStreamed: false })),
      ...rasters.map(({ name, bytes }) => ({ name, bytes, isStreamed: true })),
    ]),
    language,
    async open() {
      for (const { key, bytes } of rasters) if ((await store.size(key)) !== bytes) throw fileProblems.gone();
      const over = new AbortController();
      const stream = Readable.from(writeArchive(sources(over.signal)), { objectMode: false });
      stream.once('close', () => over.abort());
      return stream;
    },
  };
}

/** Describes the dossier of a run without creating it. @throws {Problem} as `readManifest` */
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
