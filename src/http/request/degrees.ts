import { z } from 'zod';

/** Degrees in a query; zod's own coercion takes an empty text for 0. */
export function degrees(most: number) {
  return z.preprocess(
    (text) => (typeof text === 'string' && text.trim() !== '' ? Number(text) : text),
    z.number().min(-most).max(most),
  );
}
