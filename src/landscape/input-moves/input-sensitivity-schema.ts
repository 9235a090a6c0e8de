import { z } from 'zod';
import { Guid } from '../../validation/fields.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

const Share = z.number().min(0).max(1);

const Moved = z.object({
  changed_share: Share.describe('Share of the zoned area whose functional code changes'),
  standard_error: z.number().nonnegative().describe('Standard error of this share, from the sample'),
});

export const exampleInputSensitivity = {
  run_id: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  delta_percent: 10,
  node: zoningCode,
  sample: { blocks: 256, of_blocks: 4096, block_side: 64, is_whole: false },
  inputs: [
    {
      group: 'landscape-in-precipitation',
      title: 'Annual precipitation',
      dataset_id: '91c7e0b4-62d5-4a3f-8e19-0b5d7c2f8a61',
      is_moved: true,
      decreased: { changed_share: 0.184, standard_error: 0.0061 },
      increased: { changed_share: 0.112, standard_error: 0.0048 },
    },
    {
      group: 'landscape-in-land-cover',
      title: 'Land cover',
      dataset_id: 'd4f8a2c6-1b7e-4d90-a5c3-9e6f0b8d7c12',
      is_moved: false,
      decreased: null,
      increased: null,
    },
  ],
};

/** The shares of the zoning that change when one input changes. */
export const LandscapeInputSensitivity = z
  .object({
    run_id: Guid.describe('The run'),
    delta_percent: z.int().min(1).max(50).describe('The change of each input, in percent of its values'),
    node: z.literal(zoningCode).describe('The node whose codes are compared: the functional zoning'),
    sample: z
      .object({
        blocks: z
          .int()
          .nonnegative()
          .describe('Number of blocks that were computed, the same ones each time'),
        of_blocks: z.int().nonnegative().describe('Number of blocks of the grid'),
        block_side: z.int().min(1).describe('Side of a block, pixels'),
        is_whole: z.boolean().describe('True if all blocks were computed; standard errors are then 0'),
      })
      .describe('The sample for the shares: blocks drawn at random from each part of the grid'),
    inputs: z
      .array(
        z.object({
          group: z.string().describe('Code of a slot, or of a pinned group'),
          title: z.string().describe('Title in the language of the request'),
          dataset_id: Guid.describe('The dataset that the run reads for it'),
          is_moved: z.boolean().describe('True for numbers; classes cannot be changed by a percentage'),
          decreased: Moved.nullable().describe(
            'Result for values decreased by the percentage; null for classes',
          ),
          increased: Moved.nullable().describe(
            'Result for values increased by the percentage; null for classes',
          ),
        }),
      )
      .describe('The inputs of the zoning, the one with the largest effect first'),
  })
  .meta({
    id: 'LandscapeInputSensitivity',
    description: 'The zoned area that changes when one input is moved',
    examples: [exampleInputSensitivity],
  });
export type LandscapeInputSensitivity = z.infer<typeof LandscapeInputSensitivity>;
