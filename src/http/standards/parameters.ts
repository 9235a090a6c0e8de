import { messageText } from '../../lib/message.ts';
import { z } from 'zod';
import { fieldFaults, requestProblems } from '../../messages/request/english.ts';
import { standardFaults } from '../../messages/standards/english.ts';
import { parseBbox } from '../../standards/boxes.ts';
import { parseInterval } from '../../standards/times.ts';
import { Text } from '../../validation/fields.ts';

const forms = [
  'json',
  'geojson',
  'application/json',
  'application/geo+json',
  'application/schema+json',
  'application/vnd.oai.openapi+json;version=3.0',
] as const;

/** The parameter `f`: every answer is JSON, under any of its names. A plus sign in a query is a space. */
export const FormatQuery = z
  .preprocess(
    (text) => (typeof text === 'string' ? text.replace('geo json', 'geo+json') : text),
    z.enum(forms, { error: messageText(standardFaults.format(forms[0])) }).optional(),
  )
  .optional()
  .describe('The only format of answers');

/** The query of a path with only these parameters and `f`; a list is one value with commas. */
export function standardQuery<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ f: FormatQuery, ...shape }).meta({ style: 'form', explode: false });
}

/**
 * Refuses unknown parameters of a path whose parameter names depend on its resource.
 * @throws {Problem} `malformed`, naming all unknown ones
 */
export function refuseUnknown(query: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw requestProblems.wrongParameters(
    Object.fromEntries(unknown.map((name) => [name, standardFaults.unknownParameter])),
  );
}

/** The parameter `offset`, for clients that count features instead of following links. */
export function offsetQuery() {
  const error = messageText(standardFaults.offset);
  return z
    .preprocess(
      (text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text),
      z.int({ error }).min(0, { error }).default(0),
    )
    .default(0)
    .describe('Number of features to skip; the link `next` costs less');
}

/** The parameter `limit`; values above `max` count as `max`. */
export function limitQuery(max: number, byDefault: number) {
  const error = messageText(standardFaults.limit);
  return z
    .preprocess(
      (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Math.min(Number(text), max) : text),
      z.int({ error }).min(1, { error }).max(max, { error }).default(byDefault),
    )
    .default(byDefault)
    .describe(`Items per page; more than ${max} are ${max}`);
}

/** The parameter `bbox` as a list of numbers. */
export const BboxQuery = z
  .preprocess(
    (text) => (typeof text === 'string' ? parseBbox(text) : null),
    z
      .array(z.number(), { error: messageText(standardFaults.bbox) })
      .min(4)
      .max(6),
  )
  .optional()
  .describe(
    'West, south, east, north in degrees, optionally with the lowest and highest height in between; west > east across 180°',
  );

/** The parameter `datetime`. @param options for `parseInterval` */
export function datetimeQuery(options: Parameters<typeof parseInterval>[1] = {}) {
  const withDays = options.days === true ? ', each of which may be a day alone' : '';
  return z
    .string()
    .refine((text) => parseInterval(text, options) !== undefined, {
      error: messageText(standardFaults.datetime),
    })
    .optional()
    .describe(`A time by RFC 3339, or two with a slash between, of which one may be \`..\`${withDays}`);
}

/** A parameter that lists names separated by commas. */
export function namesQuery(max: number) {
  return z
    .preprocess(
      (text) => (typeof text === 'string' ? text.split(',') : text),
      z.array(Text).max(max, { error: messageText(fieldFaults.wrongCount('item', 'at most', max)) }),
    )
    .optional();
}
