import { z } from 'zod';
import { Unit } from '../../areas/areas-schema.ts';

export const Hectares = z.number().nonnegative();

/** Describes land by unit, of all pixels, and of those outside all units: the last members of an answer. */
export function landByUnit<Members extends z.ZodRawShape>(landMembers: Members) {
  const land = z.object({ area_ha: Hectares.describe('Whole area, hectares'), ...landMembers });
  return {
    units: z
      .array(
        z.object({
          ...Unit.shape,
          area_ha: Hectares.describe('Area of the unit, hectares: the sum of all following areas'),
          outside_raster_ha: Hectares.describe('Area outside the grid of the run, hectares'),
          ...landMembers,
        }),
      )
      .describe('Land by unit, ordered by code'),
    raster: land.describe('All pixels of the run'),
    outside_units: land.describe(
      'The part outside all units; with `by=all`, outside all regions, or all districts where there are no regions',
    ),
  };
}
