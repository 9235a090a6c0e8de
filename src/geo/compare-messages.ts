import { z } from 'zod';

/** What the process that compares is asked. */
export const ComparisonRequest = z.object({
  task: z.literal('compare'),
  sourcePath: z.string(),
  cogPath: z.string(),
  scratch: z.string(),
});

/** What is not the same, in words; the first ones, when there are many. */
export const maxDifferences = 100;
export const Differences = z.array(z.string()).max(maxDifferences);
