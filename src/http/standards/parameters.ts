import { messageText } from '../../lib/message.ts';
import { z } from 'zod';
import { fieldFaults, requestProblems } from '../../messages/request.ts';
import { standardFaults } from '../../messages/standards.ts';
import { parseBbox } from '../../standards/boxes.ts';
import { parseInterval } from '../../standards/times.ts';
import { Text } from '../../validation/fields.ts';

/** The query of a path that knows no parameters but these; a list is one value with commas. */
export function doorQuery<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).meta({ style: 'form', explode: false });
}

/** Refuses parameters of a path whose names depend on what it leads to. @throws {Problem} `malformed`, naming every unknown one */
export function refuseUnknown(query: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw requestProblems.wrongParameters(
    Object.fromEntries(unknown.map((name) => [name, standardFaults.unknownParameter])),
  );
}

/** The parameter `limit`: a larger one than `max` is the largest. */
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

/** The parameter `bbox`: its numbers, as they stand there. */
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
    'West, south, east, north in degrees, with the lowest and highest height between if need be; west > east across 180°',
  );

/** The parameter `datetime`. @param options.whole true where `../..` means all of time */
export function datetimeQuery({ whole = false } = {}) {
  return z
    .string()
    .refine((text) => parseInterval(text, { whole }) !== undefined, {
      error: messageText(standardFaults.datetime),
    })
    .optional()
    .describe('A time by RFC 3339, or two with a slash between, of which one may be `..`');
}

/** A parameter that lists names with commas between. */
export function namesQuery(max: number) {
  return z
    .preprocess(
      (text) => (typeof text === 'string' ? text.split(',') : text),
      z.array(Text).max(max, { error: messageText(fieldFaults.wrongCount('item', 'at most', max)) }),
    )
    .optional();
}
