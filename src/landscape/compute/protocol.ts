import { z } from 'zod';
import { Batch, BatchResult, Inspection } from './batch.ts';

/** The one request that a child gets from the landscape engine. */
export const LandscapeRequest = z.discriminatedUnion('task', [
  z.object({ task: z.literal('inspect'), work: Inspection }),
  z.object({ task: z.literal('compute'), work: Batch }),
]);

/** The outcome of a batch: its result, or the source that cannot be read. */
export const Computed = z.union([z.object({ result: BatchResult }), z.object({ unreadable: z.string() })]);
export type Computed = z.infer<typeof Computed>;
