import { z } from 'zod';
import { OriginField } from '../../datasets/origins.ts';
import { Guid } from '../../validation/fields.ts';

const exampleOutput = {
  dataset_id: '1b671a64-40d5-491e-99b0-da01ff1f3341',
  group: 'landscape-01-slope',
  title: 'Slope, %',
  node: '01',
  run_id: '0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06',
  is_deleted: false,
  name: 'Slope, %',
  filename: 'landscape-01-slope.tif',
  start_date: null,
  end_date: null,
  created_at: '2026-02-03T10:01:09.113Z',
  size_bytes: 80_123,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  origin: null,
  inputs: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'],
};
const exampleUpload = {
  ...exampleOutput,
  dataset_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  group: 'landscape-in-dem',
  title: 'Elevation (DEM), m',
  node: null,
  run_id: null,
  name: 'dem.tif',
  filename: 'dem.tif',
  origin: 'measured' as const,
  inputs: [],
};

const LineageStep = z
  .object({
    dataset_id: Guid.describe('Id of the dataset'),
    group: z
      .string()
      .nullable()
      .describe(
        'Code of the dataset group in whose role it was used, or to which it belongs; null without one',
      ),
    title: z
      .string()
      .nullable()
      .describe(
        'Title of the slot or node of that group, in the language of the request; null for other groups',
      ),
    node: z.string().nullable().describe('Code of the node that made it; null for an upload'),
    run_id: Guid.nullable().describe('The run that made it; null for an upload'),
    is_deleted: z
      .boolean()
      .describe(
        'True if the dataset was deleted and only the facts stored with runs are known: the members from `name` to `sha256` are null',
      ),
    name: z.string().nullable().describe('Name of the dataset'),
    filename: z.string().nullable().describe('Name of the file'),
    start_date: z.iso.date().nullable().describe('First day of its period'),
    end_date: z.iso.date().nullable().describe('Last day of its period'),
    created_at: z.iso.datetime().nullable().describe('The time of the upload or of its creation, UTC'),
    size_bytes: z.int().nullable().describe('Size of the file'),
    sha256: z
      .string()
      .nullable()
      .describe(
        'SHA-256 of the uploaded file, or of the COG for outputs, lower-case hexadecimal; null if it was not recorded',
      ),
    origin: OriginField.describe('Stated origin of its values; null if it is not stated'),
    inputs: z
      .array(Guid)
      .describe('The datasets from which it was made, including the elevation that defines the grid'),
  })
  .meta({ id: 'LineageStep', description: 'A dataset, and its inputs', examples: [exampleOutput] });
export type LineageStep = z.infer<typeof LineageStep>;

export const Lineage = z
  .object({
    dataset_id: Guid.describe('The requested dataset'),
    steps: z
      .array(LineageStep)
      .describe(
        'The dataset first, then all datasets from which it was made, each once; inputs follow their outputs',
      ),
    origin: OriginField.describe(
      'Origin of the values of the requested dataset: `invented` if it or any of its sources is; of others as stated, or `derived` if the origins of all its uploads are stated; null if it is not known',
    ),
    warning: z
      .string()
      .nullable()
      .describe('A sentence that names the invented data from which it was made; null without any'),
    is_complete: z
      .boolean()
      .describe('False if it has more than 1,000 sources: the most distant ones are left out'),
  })
  .meta({
    id: 'Lineage',
    description: 'All datasets from which a dataset was made',
    examples: [
      {
        dataset_id: exampleOutput.dataset_id,
        steps: [exampleOutput, exampleUpload],
        origin: 'derived' as const,
        warning: null,
        is_complete: true,
      },
    ],
  });
export type Lineage = z.infer<typeof Lineage>;
