import { z } from 'zod';
import { Guid } from '../../validation/fields.ts';
import { exampleGapPlace, exampleGaps } from '../groups/examples.ts';

export const LandscapeGaps = z
  .object({
    is_estimate: z
      .boolean()
      .describe('True before a run: estimated from a sample of places on the grid of the elevation'),
    unit: z.literal('ha').describe('The unit of all areas'),
    grid_ha: z.number().describe('Area of the grid, geodesic on WGS 84'),
    without_zone_ha: z.number().describe('Area without a zone'),
    inputs: z
      .array(
        z.object({
          group: z.string().describe('Code of a slot, or of a pinned group'),
          dataset_id: Guid.describe('The dataset that the run reads for it'),
          missing_ha: z.number().describe('Area where the input has no value'),
          alone_ha: z.number().describe('Area without a zone where only this input has no value'),
        }),
      )
      .describe('Inputs in graph order'),
  })
  .meta({
    id: 'LandscapeGaps',
    description: 'The holes that the inputs leave in the zoning',
    examples: [exampleGaps],
  });
export type LandscapeGaps = z.infer<typeof LandscapeGaps>;

/** A place of a run. */
export const LandscapeGapPlace = z
  .object({
    lon: z.number().describe('The requested longitude, degrees'),
    lat: z.number().describe('The requested latitude, degrees'),
    is_on_grid: z.boolean().describe('False outside the grid of the run'),
    zone: z.int().nullable().describe('Class of the functional zoning; null in a hole'),
    missing: z.array(z.string()).describe('Codes of the groups that have no value here'),
  })
  .meta({
    id: 'LandscapeGapPlace',
    description: 'The inputs that leave a place without a zone',
    examples: [exampleGapPlace],
  });
export type LandscapeGapPlace = z.infer<typeof LandscapeGapPlace>;
