import { z } from 'zod';
import { unitLevels } from '../../../common/maps/units/levels.ts';
import { classifier } from './classifier.ts';

/** Units of a table that the classifier has and the service has no border of, by level from the country down. */
export const WithoutBorders = z
  .array(
    z.object({
      level: z.enum(unitLevels).describe('Level in the classifier'),
      units: z.int().min(1).describe('Number of different units'),
      rows: z.int().min(1).describe('Number of rows with their codes'),
    }),
  )
  .describe(
    'Units of the classifier without a border: their values are kept, and are not on the map. Absent if there are none',
  );

/** Counts units without a border by level; codes that the classifier lacks are left out. */
export function withoutBorders(
  codes: readonly { readonly kato_code: string; readonly rows: number }[],
): z.infer<typeof WithoutBorders> {
  const { units } = classifier();
  const byLevel = Map.groupBy(codes, ({ kato_code: code }) => units.get(code)?.level);
  return unitLevels.flatMap((level) => {
    const own = byLevel.get(level) ?? [];
    if (own.length === 0) return [];
    return [{ level, units: own.length, rows: own.reduce((sum, { rows }) => sum + rows, 0) }];
  });
}
