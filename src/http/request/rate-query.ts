import { z } from 'zod';

/** The query by which a client asks for rates. */
export const RateQuery = z.object({
  rate: z
    .enum(['1'])
    .optional()
    .describe('Values divided by the denominator of the table; without it, the values as they are'),
});
