import { z } from 'zod';
import { CalendarDate, Guid } from '../../validation/fields.ts';
import { LandscapeParams } from '../model/params.ts';
import { LandscapeDatasetRef } from '../runs/schema.ts';
import { exampleManifest } from './examples.ts';

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Size = z.int().min(0);
const Version = z.string().nullable();

const StoredFile = z
  .object({ sha256: Sha256.describe('SHA-256, lower-case hex'), bytes: Size.describe('Size of the file') })
  .nullable();

const DossierInput = z.object({
  group: z.string().describe('Code of the dataset group that the raster fills'),
  dataset_id: Guid.describe('Id of the dataset'),
  file: z.string().nullable().describe('Name of the original file; null when the dataset was deleted'),
  start_date: CalendarDate.nullable().describe('First day of the period in the plan of the run'),
  end_date: CalendarDate.nullable().describe('Last day of the period'),
  licence: z.string().nullable().describe('`licence` or `license` of its `meta`; null without one'),
  original: StoredFile.describe('The uploaded file; null when it was deleted'),
  cog: StoredFile.describe('The raster that the run has read; null when it was deleted'),
});

const DossierNode = z.object({
  code: z.string().describe('Code of the node'),
  group: z.string().describe('Dataset group of its output'),
  fingerprint: z.string().describe('SHA-256 of node, inputs and parameters'),
  action: z.enum(['compute', 'reuse']).describe('The state of the node in the run'),
  reason: z.string().nullable().describe('The reason in the plan of the run; null when it was not recorded'),
  inputs: z
    .array(
      LandscapeDatasetRef.extend({
        sha256: Sha256.nullable().describe('SHA-256 of the raster that was read; null when it was deleted'),
      }),
    )
    .describe('The inputs of the node and the elevation, by group'),
  output: z
    .object({
      dataset_id: Guid.describe('Id of the dataset'),
      cog: StoredFile.describe('The raster; null when it was deleted'),
    })
    .describe('The output that it has computed or reused'),
  made_by: z
    .object({
      run_id: Guid.nullable().describe('Run that computed the output; null if it is unknown'),
      steppe: Version.describe('Version of Steppe; null, like the other versions, if it was not recorded'),
      gdal: Version.describe('Version of GDAL'),
      proj: Version.describe('Version of PROJ'),
    })
    .describe('The output and its origin: an earlier run if it was reused'),
});

/** The signed facts of a run, which do not change after it has succeeded, except for deletions. */
export const DossierManifest = z
  .object({
    format: z.literal('steppe-dossier').describe('Always `steppe-dossier`'),
    version: z.literal(1).describe('Version of the format'),
    run: z
      .object({
        id: Guid.describe('Id of the run'),
        created_at: z.iso.datetime().describe('The time of the request for the run, UTC'),
        started_at: z.iso.datetime().nullable().describe('The time of its start, UTC'),
        finished_at: z.iso.datetime().nullable().describe('The time of its success, UTC'),
        graph_version: z.int().min(1).describe('Version of the graph'),
        params: LandscapeParams.describe('All parameters, including defaults'),
        overrides: z.record(z.string(), Guid).describe('Pinned dataset by dataset group code'),
        from_stage: z.int().min(0).max(3).nullable().describe('The stage in the request; null without one'),
      })
      .describe('The run and its settings'),
    inputs: z.array(DossierInput).max(100).describe('Rasters that the run did not compute, by group'),
    nodes: z.array(DossierNode).max(100).describe('Nodes, ordered by code'),
  })
  .meta({
    id: 'DossierManifest',
    description: 'The inputs of a run and its outputs, by digests',
    examples: [exampleManifest],
  });
export type DossierManifest = z.infer<typeof DossierManifest>;

export const DossierPart = z.enum(['cogs', 'inputs']);
export type DossierPart = z.infer<typeof DossierPart>;

export const DossierMember = z.object({
  name: z.string().describe('Name of the member'),
  bytes: Size.describe('Size of the member'),
  sha256: Sha256.describe('SHA-256 of the member, lower-case hexadecimal'),
});

/** The contents of a dossier file, in the file itself as `contents.json`. */
export const DossierContents = z.object({
  format: z.literal('steppe-dossier-contents'),
  version: z.literal(1),
  run_id: Guid,
  with: z.array(DossierPart),
  left_out: z.array(
    z.object({
      member: z.string().describe('Name of the member, or its folder'),
      because: z.string().describe('The reason why it is missing from the dossier'),
    }),
  ),
  members: z.array(DossierMember).max(1000),
});
export type DossierContents = z.infer<typeof DossierContents>;
