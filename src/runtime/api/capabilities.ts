import { z } from 'zod';
import { scopes } from '../../access/authenticator.ts';
import { findGrantedScopes } from '../../http/access/authentication.ts';
import { jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { AccessPolicy } from '../../http/access/access-policy.ts';

/** Tiles of another provider for the background of maps. */
export interface BaseMap {
  /** The URL template with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** The attribution that the provider requires; may be empty. */
  readonly attribution: string;
}

const BaseMapAnswer = z.object({
  url: z.string().describe('URL template of the tiles, with `{z}`, `{x}` and `{y}`'),
  attribution: z.string().describe('Attribution to show beside the tiles; may be empty'),
});
export const Capabilities = z
  .object({
    auth: z
      .enum(['off', 'token', 'oidc'])
      .describe('Authentication of requests: the kind of token, or `off` without tokens'),
    scopes: z
      .array(z.enum(scopes))
      .describe('The scopes of the request: all of them with `off`, none without a token'),
    max_upload_bytes: z.int().describe('The largest body that a request may have'),
    base_map: BaseMapAnswer.nullable().describe('Tiles for the background of maps; null without such tiles'),
  })
  .meta({
    id: 'Capabilities',
    description: 'The rights and limits of a client',
    examples: [{ auth: 'off', scopes: [...scopes], max_upload_bytes: 2_147_483_648, base_map: null }],
  });

interface Dependencies {
  readonly maxUploadBytes: number;
  readonly baseMap: BaseMap | undefined;
  readonly access: AccessPolicy;
}

export function registerCapabilityRoutes(app: App, { access, maxUploadBytes, baseMap }: Dependencies): void {
  app.get('/capabilities', {
    config: { scope: 'optional' },
    schema: {
      operationId: 'getCapabilities',
      summary: 'Read the rights and limits of a client',
      description:
        'Public. A client that sends its token receives the scopes of the token; an invalid token is answered with 401 where ' +
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
