import { z } from 'zod';

export const RateQuery = z.object({
  rate: z.enum(['1']).optional().describe('Divide the values by the denominator of the table'),
});
