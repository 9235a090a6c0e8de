import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { eventFaults } from '../messages/standards/english.ts';
import { Guid } from '../validation/fields.ts';

/** All types of events of datasets and runs. */
export const eventTypes = [
  'dataset.created',
  'dataset.status',
  'dataset.progress',
  'dataset.changed',
  'dataset.ready',
  'dataset.failed',
  'dataset.deleted',
  'run.created',
  'run.status',
  'run.progress',
  'run.succeeded',
  'run.failed',
  'run.record',
] as const;
export const EventType = z.enum(eventTypes);
export type EventType = z.infer<typeof EventType>;

const typeList = new RegExp(
  `^(?:${eventTypes.join('|')})(?:,(?:${eventTypes.join('|')}))*$`.replaceAll('.', String.raw`\.`),
);

/** The conditions for events; all of them must be met. */
export interface EventFilter {
  /** Undefined for all types. */
  readonly types?: readonly string[] | undefined;
  readonly dataset_id?: string | undefined;
  readonly group_id?: string | undefined;
  readonly run_id?: string | undefined;
}

/** The conditions as fields of a query. */
export const eventFilterFields = {
  types: z
    .string()
    .regex(typeList, { error: messageText(eventFaults.notTypes(eventTypes)) })
    .transform((text) => text.split(','))
    .optional()
    .describe('Types of events, separated by commas; without it, all types'),
  dataset_id: Guid.optional().describe('Only events of this dataset'),
  group_id: Guid.optional().describe('Only events of datasets of this group'),
  run_id: Guid.optional().describe('Only events of this run'),
};

/** The place of an event in the sequence of all events, as clients see it. */
export interface EventPlace {
  readonly epoch: string;
  readonly position: number;
}

const placePattern = /^([0-9a-f]{8})-(\d{1,15})$/;

/** The place of an event as text, for `Last-Event-ID`, `after` and `id`. */
export const EventId = z.string().regex(placePattern, { error: messageText(eventFaults.notAnEvent) });

/** The place after which a client begins, or `0` for all stored events. */
export const AfterEvent = z
  .string()
  .regex(new RegExp(`^0$|${placePattern.source}`), { error: messageText(eventFaults.notAPlace) });

export const writePlace = ({ epoch, position }: EventPlace): string => `${epoch}-${position}`;

/** Reads a place; undefined for a text that `writePlace` does not write. */
export function readPlace(text: string): EventPlace | undefined {
  const [, epoch, position] = placePattern.exec(text) ?? [];
  return epoch === undefined ? undefined : { epoch, position: Number(position) };
}
