import { z } from 'zod';
import { readWatch, switchOff, switchOn } from './settings.ts';
import { LandscapeWatch, LandscapeWatchInput } from './watch-schema.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { answerIn } from '../../http/language/language.ts';
import { errorResponses, ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';

const tags = ['landscape'];
const path = '/landscape/watch';

const description = `The watch observes the raster that a run would read for each input: the freshest ready raster of each slot. This raster changes when a
raster becomes ready, is deleted, or gets other dates or another group. If the change then lasts for \`hold\`, and a run would compute something new,
the service makes one draft run, whose name and note name the changed inputs.

- A draft has the parameters and the pins of the run that was adopted last, otherwise the defaults. The watch adopts nothing.
- The watch never makes a second draft for the same inputs, even if the first one was deleted or has failed.
- During another run, the watch waits for its end and then checks again.
- Once the draft has succeeded, its comparison with the adopted run is counted, so that \`comparison\` answers at once.`;

/** Registers the watch over the inputs of the program. */
export function registerLandscapeWatchRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get(path, {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeWatch',
      summary: 'Read the state of the watch over the inputs, and its last draft',
      description,
      response: ok('The watch; `off` if it was never switched on', LandscapeWatch),
    },
    handler: async (request, reply) => await readWatch(db, answerIn(request, reply)),
  });

  app.put(path, {
    config: { scope: 'landscape:run' },
    schema: {
      tags,
      operationId: 'switchLandscapeWatchOn',
      summary: 'Switch the watch over the inputs on, or change its hold',
      description: `${description}\n\nNames and notes of drafts are in the language of this request.`,
      body: LandscapeWatchInput,
      response: ok('The watch', LandscapeWatch, 400, 413, 422),
    },
    handler: async (request, reply) => {
      const language = answerIn(request, reply);
      await switchOn(db, parseBody(LandscapeWatchInput, request.body), language);
      return await readWatch(db, language);
    },
  });

  app.delete(path, {
    config: { scope: 'landscape:run' },
    schema: {
      tags,
      operationId: 'switchLandscapeWatchOff',
      summary: 'Switch the watch over the inputs off',
      description: 'A waiting draft is not made. Existing drafts stay, with their records.',
      response: { 204: z.null().describe('The watch is off'), ...errorResponses() },
    },
    handler: async (_request, reply) => {
      await switchOff(db);
      return await reply.code(204).send(null);
    },
  });
}
