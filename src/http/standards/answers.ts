import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requestProblems } from '../../messages/request.ts';
import { type AccessPolicy, baseUrlOf } from '../access/access-policy.ts';
import { etagOf, isListed } from '../files/conditions.ts';

export const mediaTypes = {
  json: 'application/json',
  geoJson: 'application/geo+json',
  schema: 'application/schema+json',
  openApi: 'application/vnd.oai.openapi+json;version=3.0',
} as const;
type DoorMediaType = (typeof mediaTypes)[keyof typeof mediaTypes];

/** A link as RFC 8288, OGC APIs and STAC have it. */
export const Link = z
  .looseObject({
    rel: z.string().describe('What the address is for'),
    href: z.string().describe('The address'),
    type: z.string().optional().describe('The media type of what is there'),
    title: z.string().optional().describe('What people call it'),
  })
  .meta({
    id: 'Link',
    description: 'Leads to another resource',
    examples: [{ rel: 'self', href: 'https://steppe.example/stac', type: 'application/json' }],
  });
export type Link = Readonly<z.infer<typeof Link>>;

/** What filters may name, as JSON Schema. */
export const QueryablesSchema = z
  .looseObject({
    type: z.literal('object').describe('What a filter is about'),
    properties: z.record(z.string(), z.unknown()).describe('A JSON Schema for each name'),
  })
  .meta({
    id: 'Queryables',
    description: 'What filters may name, as JSON Schema',
    examples: [{ type: 'object', properties: { title: { type: 'string' } } }],
  });

/** Returns the address at which the client finds the service. @throws {Problem} `malformed` where neither PUBLIC_URL nor the request names it */
export function absoluteBase(request: FastifyRequest, access: AccessPolicy): string {
  if (access.publicUrl === undefined && request.headers.host === undefined)
    throw requestProblems.hostMissing();
  return baseUrlOf(request, access);
}

/** Sends JSON with a strong ETag; 304 when the client has it already. */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type }: { readonly body: object | string; readonly type: DoorMediaType },
): Promise<FastifyReply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const etag = etagOf(text);
  reply.headers({ 'cache-control': 'no-cache', etag });
  if (request.method !== 'POST' && isListed(request.headers['if-none-match'], etag))
    return await reply.code(304).send();
  return await reply.type(type).serializer(String).send(text);
}

/** The successful answers of an operation behind one of the roots. */
export function doorAnswers<T extends z.ZodType>(
  description: string,
  schema: T,
  type: DoorMediaType = mediaTypes.json,
) {
  return {
    200: { description, content: { [type]: { schema } } },
    304: z.null().describe('The client has it already'),
  };
}
