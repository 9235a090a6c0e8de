import { z } from 'zod';
import { Guid } from '../../validation/fields.ts';
import { exampleDossier, exampleSignature, exampleSigner } from './examples.ts';
import { Sha256 } from './manifest-schema.ts';

const Check = z.enum(['right', 'wrong', 'not_checked']);

export const DossierSigner = z
  .object({
    subject: z.string().nullable().describe('Name in the certificate; null without a certificate'),
    issuer: z
      .string()
      .describe('Issuer of the certificate, as stated in the signature; empty if it is not stated'),
    serial: z.string().describe('Serial number of the certificate, hexadecimal; empty when it is not stated'),
    valid_from: z.iso.datetime().nullable().describe('Start of the validity of the certificate, UTC'),
    valid_to: z.iso.datetime().nullable().describe('End of the validity of the certificate, UTC'),
    signed_at: z.iso.datetime().nullable().describe('The signing time, UTC, as the signer states it'),
    validity: Check.describe(
      'Validity of the certificate at the stated signing time; `not_checked` if either is not stated',
    ),
    digest: Check.describe(
      'Result for the content: whether the signature covers it; `not_checked` for a digest that is not SHA-2',
    ),
    signature: Check.describe(
      'Result for the signature value and the key of the certificate; `not_checked` for keys other than RSA, ECDSA and Ed25519. The owner of the certificate is not proved: trust in its issuer is not checked',
    ),
  })
  .meta({
    id: 'DossierSigner',
    description: 'A signer, as a signature states it',
    examples: [exampleSigner],
  });
export type DossierSigner = z.infer<typeof DossierSigner>;

export const DossierSignature = z
  .object({
    revision: z.int().min(1).describe('Number of the signature, 1 for the first one of the run'),
    sha256: Sha256.describe('SHA-256 of the signature'),
    bytes: z.int().min(1).describe('Size of the signature'),
    over: z
      .enum(['inventory', 'manifest'])
      .describe(
        'The content that it covers: `inventory`, every document and through the manifest every raster; `manifest`, only run and rasters',
      ),
    language: z
      .enum(['en', 'ru', 'kk'])
      .nullable()
      .describe('Language of the documents that it covers; null for a manifest'),
    signed_sha256: Sha256.describe('SHA-256 of the signed bytes'),
    manifest_sha256: Sha256.describe('SHA-256 of the manifest that it covers, or that the inventory names'),
    is_current: z.boolean().describe('True if this is the current manifest'),
    is_in_force: z
      .boolean()
      .describe(
        'True if it is in the dossier: the newest signature that was verified, otherwise the newest. A signature that cannot be verified never replaces a verified one',
      ),
    signers: z.array(DossierSigner).describe('The signers'),
    added_by: z
      .string()
      .nullable()
      .describe('Name of the token, or `sub` of its owner; null without authentication'),
    added_at: z.iso.datetime().describe('The time of storage, UTC'),
  })
  .meta({
    id: 'DossierSignature',
    description: 'A detached signature over the dossier of a run',
    examples: [exampleSignature],
  });
export type DossierSignature = z.infer<typeof DossierSignature>;

const Part = z.object({
  files: z.int().min(0).describe('Number of existing files'),
  bytes: z.int().min(0).describe('Total size of the files'),
  missing: z
    .array(z.string())
    .describe('Codes of the deleted rasters; if there are any, the part cannot be downloaded'),
});

export const Dossier = z
  .object({
    run_id: Guid.describe('Id of the run'),
    manifest_sha256: Sha256.describe('SHA-256 of the manifest, for references in documents'),
    cogs: Part.describe('The files that `with=cogs` adds: the outputs, by code'),
    inputs: Part.describe('The files that `with=inputs` adds: inputs and their originals, by group'),
    signatures: z
      .array(DossierSignature)
      .describe('Newest first; `is_in_force` marks the signature in the dossier'),
  })
  .meta({ id: 'Dossier', description: 'The contents of the dossier of a run', examples: [exampleDossier] });
export type Dossier = z.infer<typeof Dossier>;
