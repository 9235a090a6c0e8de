import { z } from 'zod';
import { paramFaults } from '../../messages/datasets.ts';
import { issueText } from '../../validation/validation-messages.ts';

const classOf5 = z.int().min(1).max(5);

const error = issueText(paramFaults.tiePriority);

/** Sectors by their number: 1 irrigation, 2 snow retention, 3 crop, 4 pasture, 5 tourism. */
const TiePriority = z
  .array(z.int({ error }).min(1, { error }).max(5, { error }), { error })
  .length(5, { error })
  .refine((sectors) => new Set(sectors).size === sectors.length, { error })
  .meta({ uniqueItems: true });

export const defaultParams = {
  window_size: 2048,
  tie_priority: [1, 2, 3, 4, 5],
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
};

/** The parameters of a run, complete. Only those that a node names enter its fingerprint; `window_size` none. */
export const LandscapeParams = z
  .object({
    window_size: z
      .int()
      .min(256)
      .max(8192)
      .default(defaultParams.window_size)
      .describe(
        'Side of the square windows that rasters are cut into, pixels, rounded up to a multiple of 512',
      ),
    tie_priority: TiePriority.default(defaultParams.tie_priority).describe(
      'Sector preference when several tie: 1 irrigation, 2 snow, 3 crop, 4 pasture, 5 tourism',
    ),
    v1_min_s_e12: classOf5
      .default(defaultParams.v1_min_s_e12)
      .describe('V1 minimum suitability where E <= 2'),
    v1_min_s_e3: classOf5.default(defaultParams.v1_min_s_e3).describe('V1 minimum suitability where E == 3'),
    v2_min_s_e3: classOf5.default(defaultParams.v2_min_s_e3).describe('V2 minimum suitability where E == 3'),
    v2_min_s_e4: classOf5.default(defaultParams.v2_min_s_e4).describe('V2 minimum suitability where E == 4'),
  })
  .meta({
    id: 'LandscapeParams',
    description: 'The parameters of a run; those that are omitted take their default',
    examples: [defaultParams],
  });
export type LandscapeParams = z.infer<typeof LandscapeParams>;
export type ParamName = keyof LandscapeParams;
