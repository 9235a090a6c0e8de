import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requestProblems } from '../../messages/request.ts';
import type { AccessPolicy } from '../access/access-policy.ts';
import { baseUrlOf } from '../access/own-addresses.ts';
import { doorErrors } from '../openapi/doors.ts';

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
    rel: z.string().describe('The purpose of the address'),
    href: z.string().describe('The address'),
    type: z.string().optional().describe('The media type of the resource'),
    title: z.string().optional().describe('Its name'),
  })
  .meta({
    id: 'Link',
    description: 'Leads to another resource',
    examples: [{ rel: 'self', href: 'https://steppe.example/stac', type: 'application/json' }],
  });
export type Link = Readonly<z.infer<typeof Link>>;

/** The properties that filters may name, as JSON Schema. */
export const QueryablesSchema = z
  .looseObject({
    type: z.literal('object').describe('The subject of a filter'),
    properties: z.record(z.string(), z.unknown()).describe('A JSON Schema for each name'),
  })
  .meta({
    id: 'Queryables',
    description: 'The properties that filters may name, as JSON Schema',
    examples: [{ type: 'object', properties: { title: { type: 'string' } } }],
  });

/** Returns the address at which the client finds the service. @throws {Problem} `malformed` where neither PUBLIC_URL nor the request names it */
export function absoluteBase(request: FastifyRequest, access: AccessPolicy): string {
  if (access.publicUrl === undefined && request.headers.host === undefined)
    throw requestProblems.hostMissing();
  return baseUrlOf(request, access);
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
    412: doorErrors(412)[412],
  };
}
