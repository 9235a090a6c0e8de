import { z } from 'zod';
import { BooleanText, Guid, Text } from '../datasets/fields.ts';

/** The parameters of a path with one resource in it. */
export const IdParams = z.object({ id: Guid });

/** A query parameter that is compared with text in the database. */
export const QueryText = Text;

/** A query parameter written in decimal digits and nothing else: no sign, no blank, no exponent. */
export function decimalInteger({ min, max }: { readonly min: number; readonly max?: number }) {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `must be a whole number ${range}`;
  const number = z.number({ error }).min(min, { error });
  return z.preprocess(
    (text) => (typeof text === 'string' && /^[0-9]+$/.test(text) ? Number(text) : text),
    (max === undefined ? number : number.max(max, { error })).meta({ type: 'integer' }),
  );
}

/** A query parameter that is `true` or `false`. */
export const QueryBoolean = BooleanText;
