import { z } from 'zod';
import { scopes } from '../../access/authenticator.ts';
import { findGrantedScopes } from '../access/authentication.ts';
import { jsonResponse } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const BaseMap = z.object({
  url: z.string().describe('Of a tile, with `{z}`, `{x}` and `{y}` in it'),
  attribution: z.string().describe('To be shown beside the tiles; may be empty'),
});
export const Capabilities = z
  .object({
    auth: z.enum(['off', 'token', 'oidc']).describe('Whose tokens requests need; `off`: none'),
    scopes: z
      .array(z.enum(scopes))
      .describe('What the request may do: all scopes with `off`, none without a token'),
    max_upload_bytes: z.int().describe('The largest body that a request may have'),
    base_map: BaseMap.nullable().describe('Tiles for the background of maps; null when there are none'),
  })
  .meta({
    id: 'Capabilities',
    description: 'What a client may do here, and within which limits',
    examples: [{ auth: 'off', scopes: [...scopes], max_upload_bytes: 2_147_483_648, base_map: null }],
  });

export function registerCapabilityRoutes(app: App, { access, maxUploadBytes, baseMap }: Services): void {
  app.get('/capabilities', {
    config: { scope: 'optional' },
    schema: {
      operationId: 'getCapabilities',
      summary: 'What a client may do here',
      description:
        'Public. A client that sends its token learns the scopes of it; a token that is not valid is 401 where ' +
        'tokens are asked for.',
      tags: ['capabilities'],
      response: { 200: jsonResponse('The capabilities', Capabilities) },
    },
    handler: async (request, reply) => ({
      auth: access.authentication.mode,
      scopes: [...(await findGrantedScopes(request, reply, access.authentication))],
      max_upload_bytes: maxUploadBytes,
      base_map: baseMap ?? null,
    }),
  });
}
