import { z } from 'zod';
import { fieldFaults } from '../../messages/validation.ts';
import { Guid } from '../../validation/fields.ts';

/** The parameters of a path with one resource in it. */
export const IdParams = z.object({ id: Guid.describe('Id of the resource: a uuid in either case') });

interface IntegerRange {
  readonly min: number;
  /** The greatest integer that a number holds exactly, unless given. */
  readonly max?: number;
  /** The value of a parameter that is not sent. */
  readonly byDefault: number;
}

/** Describes a query parameter written in decimal digits alone: no sign, no blank, no exponent. */
export function decimalInteger({ min, max = Number.MAX_SAFE_INTEGER, byDefault }: IntegerRange) {
  const error = fieldFaults.outOfRange({ min, max });
  return z
    .preprocess(
      (text) => (typeof text === 'string' && /^[0-9]+$/.test(text) ? Number(text) : text),
      z.int({ error }).min(min, { error }).max(max, { error }).default(byDefault),
    )
    .default(byDefault);
}
