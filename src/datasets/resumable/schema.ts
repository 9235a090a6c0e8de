import { z } from 'zod';
import { exampleDataset } from '../../lib/examples.ts';
import { Guid } from '../../validation/fields.ts';
import type { UploadRow } from './uploads.ts';

export const UploadProgress = z
  .object({
    id: Guid.describe('Id of the upload'),
    length: z.int().describe('Size of the file in bytes'),
    received: z.int().describe('Number of received bytes, from the first one on'),
    expires_at: z.iso
      .datetime()
      .describe('Time in UTC at which its bytes are deleted; each received byte postpones it'),
    dataset_id: Guid.nullable().describe(
      'Id of the created dataset; null until all bytes have arrived and it has been created',
    ),
  })
  .meta({
    id: 'UploadProgress',
    description: 'The progress of an upload in pieces',
    examples: [
      {
        id: '5f0c6f0e-7f6e-4f0a-9d57-3b8f0a0c7a11',
        length: 8_589_934_592,
        received: 5_368_709_120,
        expires_at: '2026-11-27T09:30:00.000Z',
        dataset_id: null,
      },
      {
        id: '5f0c6f0e-7f6e-4f0a-9d57-3b8f0a0c7a11',
        length: 8_589_934_592,
        received: 8_589_934_592,
        expires_at: '2026-11-27T09:34:10.000Z',
        dataset_id: exampleDataset.id,
      },
    ],
  });
export type UploadProgress = z.infer<typeof UploadProgress>;

export function toUploadProgress({
  id,
  length,
  received,
  expires_at,
  dataset_id,
}: UploadRow): UploadProgress {
  return { id, length, received, expires_at: expires_at.toISOString(), dataset_id };
}
