import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../json/canonical-json.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { Guid } from '../../validation/fields.ts';
import type { Document, LeftOut } from './documents.ts';
import { exampleInventory } from './examples.ts';
import { DossierContents, DossierMember } from './manifest-schema.ts';

/** Members that say what a dossier is; all others are documents or rasters. */
export const names = {
  readme: 'README.txt',
  manifest: 'manifest.json',
  contents: 'contents.json',
  inventory: 'inventory.json',
  signature: 'signature.p7s',
  signedManifest: 'signed-manifest.json',
} as const;

/** Inventory that a signature over a whole dossier covers: every document by its digest, and through the manifest every raster. */
export const DossierInventory = z
  .object({
    format: z.literal('steppe-dossier-inventory').describe('Always `steppe-dossier-inventory`'),
    version: z.literal(1).describe('Version of the format'),
    run_id: Guid.describe('Of the run'),
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

/** All documents of a dossier, and what is missing of it. */
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

/** Lists documents in canonical JSON: equal documents are equal bytes. */
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

/** Reads the bytes that a stored signature is over; undefined where they are a manifest. */
export function parseInventory(signed: string): DossierInventory | undefined {
  return DossierInventory.safeParse(JSON.parse(signed)).data;
}
