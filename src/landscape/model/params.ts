import { messageText } from '../../lib/message.ts';
import { z } from 'zod';
import { paramFaults } from '../../messages/runs/english.ts';

const error = messageText(paramFaults.tiePriority);

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

export type ParamName = keyof typeof defaultParams;

interface ParamFacts {
  readonly title: string;
  readonly description: string;
  /** Minimum and maximum of a whole number; null for a list. */
  readonly limits: readonly [min: number, max: number] | null;
}

const ofClass = [1, 5] as const;

/** Parameters in the order of `LandscapeParams`. */
export const paramFacts = {
  window_size: {
    title: 'Window size',
    description:
      'Side of the square windows that rasters are cut into, pixels, rounded up to a multiple of 512',
    limits: [256, 8192],
  },
  tie_priority: {
    title: 'Preference of sectors',
    description: 'Sector preference when several tie: 1 irrigation, 2 snow, 3 crop, 4 pasture, 5 tourism',
    limits: null,
  },
  v1_min_s_e12: {
    title: 'Threshold of V1 where E is 1 or 2',
    description: 'V1 minimum suitability where E <= 2',
    limits: ofClass,
  },
  v1_min_s_e3: {
    title: 'Threshold of V1 where E is 3',
    description: 'V1 minimum suitability where E == 3',
    limits: ofClass,
  },
  v2_min_s_e3: {
    title: 'Threshold of V2 where E is 3',
    description: 'V2 minimum suitability where E == 3',
    limits: ofClass,
  },
  v2_min_s_e4: {
    title: 'Threshold of V2 where E is 4',
    description: 'V2 minimum suitability where E == 4',
    limits: ofClass,
  },
} as const satisfies Readonly<Record<ParamName, ParamFacts>>;

function numberParam(
  { description, limits: [min, max] }: ParamFacts & { readonly limits: readonly [number, number] },
  value: number,
) {
  return z.int().min(min).max(max).default(value).describe(description);
}

/** The complete parameters of a run. The fingerprint of a node contains only the parameters that it names; `window_size` is in none. */
export const LandscapeParams = z
  .object({
    window_size: numberParam(paramFacts.window_size, defaultParams.window_size),
    tie_priority: TiePriority.default(defaultParams.tie_priority).describe(
      paramFacts.tie_priority.description,
    ),
    v1_min_s_e12: numberParam(paramFacts.v1_min_s_e12, defaultParams.v1_min_s_e12),
    v1_min_s_e3: numberParam(paramFacts.v1_min_s_e3, defaultParams.v1_min_s_e3),
    v2_min_s_e3: numberParam(paramFacts.v2_min_s_e3, defaultParams.v2_min_s_e3),
    v2_min_s_e4: numberParam(paramFacts.v2_min_s_e4, defaultParams.v2_min_s_e4),
  })
  .meta({
    id: 'LandscapeParams',
    description: 'The parameters of a run; those that are omitted take their default',
    examples: [defaultParams],
  });
export type LandscapeParams = z.infer<typeof LandscapeParams>;
