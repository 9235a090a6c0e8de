import { z } from 'zod';
import type { ReferenceGrid } from './reference-grid.ts';
import type { SourceCounts } from './sample.ts';

// Apart from the types, so that a child process loads no zod.

const crsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('geographic'), degreesPerUnit: z.number() }),
  z.object({ kind: z.literal('web-mercator') }),
  z.object({ kind: z.literal('projected'), metresPerUnit: z.number() }),
]);

export const gridSchema: z.ZodType<ReferenceGrid> = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  left: z.number(),
  top: z.number(),
  resX: z.number().positive(),
  resY: z.number().positive(),
  crs: crsSchema,
  wkt: z.string(),
});

export const countsSchema: z.ZodType<SourceCounts> = z.object({
  covered: z.int(),
  valid: z.int(),
  invalid: z.int(),
});
