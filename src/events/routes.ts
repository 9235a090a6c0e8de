import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { AfterEvent, eventFilterFields, EventId, readPlace } from './event-schema.ts';
import { fieldFaults } from '../messages/request/english.ts';
import { parseParameters } from '../validation/parse-parameters.ts';
import { errorResponses } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import type { EventListeners } from './event-listeners.ts';

const longestSeconds = 900;

const description = `A stream of server-sent events (\`text/event-stream\`), one for each change, in one order for all clients. \`data\` is JSON: \`type\`, \`timestamp\` and \`data\`
with ids and the status; read the dataset or run for more.

- \`dataset.created\`, \`dataset.status\` (any other change of status), \`dataset.ready\`, \`dataset.failed\`, \`dataset.progress\` (at each twentieth of its file), \`dataset.changed\` (its
  description, mapping or group), \`dataset.deleted\`
- \`run.created\`, \`run.status\`, \`run.progress\` (nodes with a new status, and the progress of running nodes), \`run.succeeded\`, \`run.failed\`, \`run.record\` (a change of its record)
- \`reset\`: the events after your last one are no longer stored; read the resources that you show again. Events are stored for seven days, at most one million.

Each event has an \`id\`. Send the last one as \`Last-Event-ID\`, as EventSource does, or as \`after\`, and no event is lost between two connections; an event may then come twice. \`after=0\`
begins with the oldest stored event, without \`reset\`. Without an id the stream begins with new events: connect first, then read the resources that you show. The stream ends after \`wait\` seconds, which are 0 unless \`Accept\` names \`text/event-stream\`, and when the service shuts down; connect again after \`retry\`
milliseconds. A comment or an id comes every 15 seconds. 503 while 20,000 clients listen. After a status such as 503 an EventSource does not try again: create a new one after \`Retry-After\` seconds.`;

const error = messageText(fieldFaults.outOfRange(0, longestSeconds));
const Wait = z.preprocess(
  (text) => (typeof text === 'string' && /^[0-9]+$/.test(text) ? Number(text) : text),
  z.int({ error }).min(0, { error }).max(longestSeconds, { error }),
);

const header = 'last-event-id';
const EventHeaders = z.looseObject({
  [header]: EventId.optional().meta({
    description: 'The id of the last event that the client has; it takes precedence over `after`',
    examples: ['3f9a1c20-1042'],
  }),
});

/** An event of the stream, described for `text/event-stream` as in OpenAPI 3.1. */
const StreamedEvent = z
  .object({
    retry: z.int().optional().describe('Milliseconds after which a client connects again'),
    id: z.string().optional().describe('The position in the stream; send the last one as `Last-Event-ID`'),
    event: z.string().optional().describe('The type of the event; absent if only the id has changed'),
    data: z.string().optional().describe('JSON with `type`, `timestamp` and `data`'),
  })
  .meta({
    examples: [
      {
        id: '3f9a1c20-1043',
        event: 'dataset.ready',
        data: '{"type":"dataset.ready","timestamp":"2026-10-02T09:40:00.113Z","data":{"dataset_id":"b52e8d14-7c6a-4390-a8f1-0e9d4c7b6a35","group_id":null,"category_id":"0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06","file_type":"raster","status":"ready"}}',
      },
    ],
  });

export function registerEventRoutes(
  app: App,
  { eventListeners }: { readonly eventListeners: EventListeners },
): void {
  app.get('/events', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['events'],
      operationId: 'listenToEvents',
      summary: 'Receive changes of datasets and runs as they happen',
      description,
      headers: EventHeaders,
      querystring: z.object({
        ...eventFilterFields,
        after: AfterEvent.optional()
          .describe('The id of the last event that the client has; `0` for all stored events')
          .meta({ examples: ['0', '3f9a1c20-1042'] }),
        wait: Wait.optional().describe(
          'How long the stream stays open, seconds: 900, or 0 for a client whose `Accept` does not name `text/event-stream`; with 0 it ends after the existing events',
        ),
      }),
      response: {
        200: {
          description: 'The events',
          content: { 'text/event-stream': { schema: StreamedEvent } },
        },
        ...errorResponses(400),
      },
    },
    handler: async (request, reply) => {
      const { after, wait, ...filter } = request.query;
      const { [header]: last = after } = parseParameters(EventHeaders, request.headers);
      await eventListeners.listen(request, reply, {
        after: last === '0' ? 'oldest' : last === undefined ? undefined : readPlace(last),
        filter,
        // A program that reads any resource at a path does not expect an endless answer.
        waitSeconds: wait ?? (isStreamWanted(request.headers.accept) ? longestSeconds : 0),
      });
      return reply;
    },
  });
}

const isStreamWanted = (accept = ''): boolean => accept.toLowerCase().includes('text/event-stream');
