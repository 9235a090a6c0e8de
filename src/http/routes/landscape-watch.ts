import { z } from 'zod';
import { readWatch, switchOff, switchOn } from '../../landscape/watch/settings.ts';
import { LandscapeWatch, LandscapeWatchInput } from '../../landscape/watch/watch-schema.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { answerIn } from '../language/language.ts';
import { errorResponses, ok } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const tags = ['landscape'];
const path = '/landscape/watch';

const description = `The watch looks at what a run would read of each input: the freshest ready raster of each slot. When that is another one than before, because a
raster has become ready, was deleted, or has other dates or another group, and then stays so for \`hold\`, and a run would compute something that no run
has computed, the service makes one run by itself: a draft, whose name and note say which inputs have changed.

- It has the parameters and the pins of the run that was adopted last, else the defaults. Nothing is adopted by itself.
- For the same inputs there is never a second draft, whatever became of the first one.
- While another run is under way, the watch waits for its end and then looks again.
- Once the draft has succeeded, its comparison with the adopted run is counted, so that \`comparison\` answers at once.`;

/** Registers the watch over the inputs of the Landscape Program. */
export function registerLandscapeWatchRoutes(app: App, { db }: Services): void {
  app.get(path, {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeWatch',
      summary: 'Read what the watch over the inputs does, and its last draft',
      description,
      response: ok('The watch; `off` where it was never switched on', LandscapeWatch),
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
      description: 'What waits for its hold is not made. Drafts stay, and so does what is known of them.',
      response: { 204: z.null().describe('It is off'), ...errorResponses() },
    },
    handler: async (_request, reply) => {
      await switchOff(db);
      return await reply.code(204).send(null);
    },
  });
}
