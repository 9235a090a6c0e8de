import { z } from 'zod';

/** A query parameter in degrees; zod's own coercion would read an empty text as 0. */
export function degrees(most: number) {
  return z.preprocess(
    (text) => (typeof text === 'string' && text.trim() !== '' ? Number(text) : text),
    z.number().min(-most).max(most),
  );
}
