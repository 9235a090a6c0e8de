import { z } from 'zod';
import { Guid } from '../../validation/fields.ts';
import { exampleDossier, exampleSignature, exampleSigner } from './examples.ts';
import { Sha256 } from './manifest-schema.ts';

const Check = z.enum(['right', 'wrong', 'not_checked']);

export const DossierSigner = z
  .object({
    subject: z.string().nullable().describe('As its certificate states; null without a certificate'),
    issuer: z
      .string()
      .describe('Who has issued the certificate, as the signature states; empty when it does not'),
    serial: z.string().describe('Serial number of the certificate, hexadecimal; empty when it is not stated'),
    valid_from: z.iso.datetime().nullable().describe('First moment of the certificate, UTC'),
    valid_to: z.iso.datetime().nullable().describe('Last moment of the certificate, UTC'),
    signed_at: z.iso.datetime().nullable().describe('When it was signed, UTC, as the signer states'),
    digest: Check.describe('Whether it is over the manifest; `not_checked` for a digest that is not SHA-2'),
    signature: Check.describe(
      'Whether the key of the certificate has signed that; `not_checked` for other keys than RSA, ECDSA and Ed25519. Nothing says whose certificate it is: trust in its issuer is not checked',
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
    revision: z.int().min(1).describe('1 for the first signature of the run'),
    sha256: Sha256.describe('SHA-256 of the signature'),
    bytes: z.int().min(1).describe('Size of the signature'),
    manifest_sha256: Sha256.describe('SHA-256 of the manifest that it was put for'),
    is_current: z.boolean().describe('Whether that is the manifest of now'),
    signers: z.array(DossierSigner).describe('Those that it states'),
    added_by: z
      .string()
      .nullable()
      .describe('Name of the token, or `sub` of its owner; null without authentication'),
    added_at: z.iso.datetime().describe('When it was stored, UTC'),
  })
  .meta({
    id: 'DossierSignature',
    description: 'A detached signature over the manifest of a run',
    examples: [exampleSignature],
  });
export type DossierSignature = z.infer<typeof DossierSignature>;

const Part = z.object({
  files: z.int().min(0).describe('Files that there are'),
  bytes: z.int().min(0).describe('Their size together'),
  missing: z.array(z.string()).describe('Codes of those that were deleted: the part cannot be downloaded'),
});

export const Dossier = z
  .object({
    run_id: Guid.describe('Of the run'),
    manifest_sha256: Sha256.describe('SHA-256 of the manifest, by which papers can name it'),
    cogs: Part.describe('What `with=cogs` adds: the outputs, by code'),
    inputs: Part.describe('What `with=inputs` adds: inputs and their originals, by group'),
    signatures: z.array(DossierSignature).describe('Newest first; the first one is in force'),
  })
  .meta({ id: 'Dossier', description: 'What the dossier of a run has', examples: [exampleDossier] });
export type Dossier = z.infer<typeof Dossier>;
