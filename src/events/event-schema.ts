import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { eventFaults } from '../messages/events.ts';
import { Guid } from '../validation/fields.ts';

/** Everything that can happen to datasets and runs. */
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

/** Which events are wanted; all that is given must hold. */
export interface EventFilter {
  /** Undefined: all. */
  readonly types?: readonly string[] | undefined;
  readonly dataset_id?: string | undefined;
  readonly group_id?: string | undefined;
  readonly run_id?: string | undefined;
}

/** The same as fields of a query. */
export const eventFilterFields = {
  types: z
    .string()
    .regex(typeList, { error: messageText(eventFaults.notTypes(eventTypes)) })
    .transform((text) => text.split(','))
    .optional()
    .describe('Types of events, with commas between; without it, all'),
  dataset_id: Guid.optional().describe('Only events of this dataset'),
  group_id: Guid.optional().describe('Only events of datasets of this group'),
  run_id: Guid.optional().describe('Only events of this run'),
};

/** The place of an event among all that there are, as clients have it. */
export interface EventPlace {
  readonly epoch: string;
  readonly position: number;
}

const placePattern = /^([0-9a-f]{8})-(\d{1,15})$/;

/** The place of an event as text: `Last-Event-ID`, `after` and `id`. */
export const EventId = z.string().regex(placePattern, { error: messageText(eventFaults.notAnEvent) });

/** Where a client begins: behind an event, or `0` for all that are kept. */
export const AfterEvent = z
  .string()
  .regex(new RegExp(`^0$|${placePattern.source}`), { error: messageText(eventFaults.notAPlace) });

export const writePlace = ({ epoch, position }: EventPlace): string => `${epoch}-${position}`;

/** Reads a place; undefined for any text that `writePlace` does not write. */
export function readPlace(text: string): EventPlace | undefined {
  const [, epoch, position] = placePattern.exec(text) ?? [];
  return epoch === undefined ? undefined : { epoch, position: Number(position) };
}
