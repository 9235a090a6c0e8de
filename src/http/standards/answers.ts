import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requestProblems } from '../../messages/request/english.ts';
import type { AccessPolicy } from '../access/access-policy.ts';
import { baseUrlOf } from '../access/own-addresses.ts';
import { standardErrors } from '../openapi/standards.ts';

export const mediaTypes = {
  json: 'application/json',
  geoJson: 'application/geo+json',
  schema: 'application/schema+json',
  openApi: 'application/vnd.oai.openapi+json;version=3.0',
} as const;
type StandardMediaType = (typeof mediaTypes)[keyof typeof mediaTypes];

/** A link in the format of RFC 8288, OGC APIs and STAC. */
export const Link = z
  .looseObject({
    rel: z.string().describe('Link relation'),
    href: z.string().describe('Address of the linked resource'),
    type: z.string().optional().describe('Media type of the linked resource'),
    title: z.string().optional().describe('Title of the linked resource'),
  })
  .meta({
    id: 'Link',
    description: 'A link to another resource',
    examples: [{ rel: 'self', href: 'https://steppe.example/stac', type: 'application/json' }],
  });
export type Link = Readonly<z.infer<typeof Link>>;

export const QueryablesSchema = z
  .looseObject({
    type: z.literal('object').describe('Always `object`'),
    properties: z.record(z.string(), z.unknown()).describe('A JSON Schema for each name'),
  })
  .meta({
    id: 'Queryables',
    description: 'The properties that filters may name, as JSON Schema',
    examples: [{ type: 'object', properties: { title: { type: 'string' } } }],
  });

/**
 * Returns the address at which the client reaches the service.
 * @throws {Problem} `malformed` if neither PUBLIC_URL nor the request names it
 */
export function absoluteBase(request: FastifyRequest, access: AccessPolicy): string {
  if (access.publicUrl === undefined && request.headers.host === undefined)
    throw requestProblems.hostMissing();
  return baseUrlOf(request, access);
}

interface CollectionPage {
  readonly limit: number;
  readonly next: string | undefined;
  /** Other parameters of the request, which the next page takes as well. */
  readonly query?: Readonly<Record<string, string>>;
  readonly others?: readonly Link[];
}

/** Returns the links of a page of collections: to the page itself, to other resources, and to the next page. */
export function pageLinks(self: string, { limit, next, query = {}, others = [] }: CollectionPage): Link[] {
  const type = mediaTypes.json;
  const hrefOf = (token: string) =>
    `${self}?${new URLSearchParams({ limit: String(limit), token, ...query }).toString()}`;
  return [
    { rel: 'self', href: self, type },
    ...others,
    ...(next === undefined ? [] : [{ rel: 'next', href: hrefOf(next), type }]),
  ];
}

/** Success answers of an operation below a standard's root. */
export function standardAnswers<T extends z.ZodType>(
  description: string,
  schema: T,
  type: StandardMediaType = mediaTypes.json,
) {
  return {
    200: { description, content: { [type]: { schema } } },
    304: z.null().describe('The copy of the client is current'),
    412: standardErrors(412)[412],
  };
}
