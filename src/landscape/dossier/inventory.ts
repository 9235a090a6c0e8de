import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../json/canonical-json.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { Guid } from '../../validation/fields.ts';
import type { Document, LeftOut } from './documents.ts';
import { exampleInventory } from './examples.ts';
import { DossierContents, DossierMember } from './manifest-schema.ts';

/** Members with a fixed name; all others are documents or rasters. */
export const names = {
  readme: 'README.txt',
  manifest: 'manifest.json',
  contents: 'contents.json',
  inventory: 'inventory.json',
  signature: 'signature.p7s',
  signedManifest: 'signed-manifest.json',
} as const;

/** The inventory that the signature of a whole dossier covers: every document by its digest, and every raster through the manifest. */
export const DossierInventory = z
  .object({
    format: z.literal('steppe-dossier-inventory').describe('Always `steppe-dossier-inventory`'),
    version: z.literal(1).describe('Version of the format'),
    run_id: Guid.describe('Id of the run'),
    language: z.enum(['en', 'ru', 'kk']).describe('Language of report and balance'),
    left_out: DossierContents.shape.left_out.describe(
      'A member that is missing from this dossier, and the reason',
    ),
    members: z
      .array(DossierMember)
      .min(1)
      .max(1000)
      .describe('Every member of the dossier except the rasters, whose digests are in `manifest.json`'),
  })
  .meta({
    id: 'DossierInventory',
    description:
      'Every document of a dossier by its digest: the content that a signature of the whole dossier covers',
    examples: [exampleInventory],
  });
export type DossierInventory = z.infer<typeof DossierInventory>;

/** All documents of a dossier, and the missing ones. */
export interface WrittenDocuments {
  readonly language: Language;
  readonly documents: readonly Document[];
  readonly leftOut: readonly LeftOut[];
}

export const sha256Of = (bytes: Buffer): string => hash('sha256', bytes, 'hex');

export const factsOfDocument = ({ name, content }: Document) => ({
  name,
  bytes: content.length,
  sha256: sha256Of(content),
});

/** Writes the inventory of documents in canonical JSON: equal documents give equal bytes. */
export function inventoryOf(runId: string, { language, documents, leftOut }: WrittenDocuments): Buffer {
  const inventory: DossierInventory = {
    format: 'steppe-dossier-inventory',
    version: 1,
    run_id: runId,
    language,
    left_out: [...leftOut],
    members: documents.map(factsOfDocument),
  };
  return Buffer.from(canonicalJson(inventory));
}

/** Reads the bytes that a stored signature covers; undefined if they are a manifest. */
export function parseInventory(signed: string): DossierInventory | undefined {
  return DossierInventory.safeParse(JSON.parse(signed)).data;
}
