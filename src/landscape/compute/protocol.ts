import { z } from 'zod';
import { Batch, BatchResult, Inspection } from './batch.ts';

/** What the landscape engine asks of a child, once. */
export const LandscapeRequest = z.discriminatedUnion('task', [
  z.object({ task: z.literal('inspect'), work: Inspection }),
  z.object({ task: z.literal('compute'), work: Batch }),
]);

/** What became of a batch: its result, or the source that can not be read. */
export const Computed = z.union([z.object({ result: BatchResult }), z.object({ unreadable: z.string() })]);
export type Computed = z.infer<typeof Computed>;
