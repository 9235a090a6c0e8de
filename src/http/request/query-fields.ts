import { z } from 'zod';
import { BooleanText, Guid, Text } from '../../validation/fields.ts';

/** The parameters of a path with one resource in it. */
export const IdParams = z.object({ id: Guid.describe('Of the resource; a uuid in either case') });

/** A query parameter that is compared with text in the database. */
export const QueryText = Text;

interface IntegerRange {
  readonly min: number;
  /** Without one, what a number holds exactly. */
  readonly max?: number;
  /** When the parameter is not sent. */
  readonly byDefault: number;
}

/** A query parameter written in decimal digits and nothing else: no sign, no blank, no exponent. */
export function decimalInteger({ min, max = Number.MAX_SAFE_INTEGER, byDefault }: IntegerRange) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .preprocess(
      (text) => (typeof text === 'string' && /^[0-9]+$/.test(text) ? Number(text) : text),
      z.int({ error }).min(min, { error }).max(max, { error }).default(byDefault),
    )
    .default(byDefault);
}

/** A query parameter that is `true` or `false`. */
export const QueryBoolean = BooleanText;
