import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { KiB, MiB } from '../../lib/units.ts';
import type { Slice } from '../../database/page.ts';
import { stringifyVerbatim } from '../../json/verbatim-json.ts';
import { decimalInteger } from '../../validation/fields.ts';

/** Many clients refuse an answer with 16 KiB of headers; each link repeats the query. */
const maxLinkCharacters = 8 * KiB;
/** A larger page is written item by item: serialising it at once would block other requests, and one string cannot hold a gigabyte. */
const maxCharactersAtOnce = MiB;

/** Query fields of every list. */
export const pageQuery = {
  page: decimalInteger(1, Number.MAX_SAFE_INTEGER, 1).describe('1-based page number'),
  page_size: decimalInteger(1, 100, 20).describe('Items per page'),
};

export function pageOf<T extends z.ZodType>(item: T, id: string) {
  const count = z.int().min(0);
  const { examples: data = [] } = item.meta() ?? {};
  const example = { data, page: 1, page_size: 20, total: 1, total_pages: 1 };
  return z
    .object({
      data: z.array(item).describe('Items of this page'),
      page: z.int().min(1).describe('1-based number of this page'),
      page_size: z.int().min(1).max(100).describe('Number of items on a full page'),
      total: count.describe('Total number of items on all pages'),
      total_pages: count.describe('Number of pages; 0 without items'),
    })
    .meta({ id, description: 'One page of a list', examples: [example] });
}

interface ListedPage<T> {
  readonly rows: readonly T[];
  readonly total: number;
  /** Position of the last row, for a list that supports paging by position. */
  readonly next?: string | undefined;
}

interface PageRequest {
  readonly url: string;
  /** `after` is the position after which the page begins. */
  readonly query: z.infer<z.ZodObject<typeof pageQuery>> & { readonly after?: string | undefined };
}

/**
 * Sends the page that the query requests in its envelope, with an RFC 8288 `Link` header. Its links keep the other
 * parameters; they are omitted if a very long query would make the header longer than clients can read.
 */
export async function sendPage<T extends object>(
  { url, query }: PageRequest,
  reply: FastifyReply,
  list: (window: Slice) => Promise<ListedPage<T>>,
) {
  // Beyond the size of any table, the offset stays a number that SQL accepts.
  const offset = Math.min((query.page - 1) * query.page_size, Number.MAX_SAFE_INTEGER);
  const { rows, total, next } = await list({ limit: query.page_size, offset });
  const totalPages = Math.ceil(total / query.page_size);
  // After a position, page numbers do not apply: rows may have been inserted before it.
  const hasNext = query.after === undefined ? query.page < totalPages : next !== undefined;
  const link = linkHeader(url, { page: query.page, totalPages, next: hasNext ? { after: next } : undefined });
  if (link.length <= maxLinkCharacters) reply.header('link', link);
  const envelope = { page: query.page, page_size: query.page_size, total, total_pages: totalPages };
  if (charactersIn(rows) > maxCharactersAtOnce) {
    return reply.type('application/json; charset=utf-8').send(Readable.from(inPieces(rows, envelope)));
  }
  return { data: [...rows], ...envelope };
}

function charactersIn(rows: readonly object[]): number {
  let characters = 0;
  for (const row of rows)
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 0;
  return characters;
}

async function* inPieces(rows: readonly object[], envelope: object): AsyncGenerator<string> {
  yield '{"data":[';
  for (const [index, row] of rows.entries()) {
    yield `${index === 0 ? '' : ','}${stringifyVerbatim(row)}`;
    await nextTurn();
  }
  yield `],${JSON.stringify(envelope).slice(1)}`;
}

interface Links {
  readonly page: number;
  readonly totalPages: number;
  readonly next: Pick<PageRequest['query'], 'after'> | undefined;
}

function linkHeader(url: string, { page, totalPages, next }: Links): string {
  const links = [`<${withPage(url, 1)}>; rel="first"`];
  if (totalPages > 0 && page > 1)
    links.push(`<${withPage(url, Math.min(page - 1, totalPages))}>; rel="prev"`);
  if (next !== undefined) links.push(`<${withPage(url, page + 1, next.after)}>; rel="next"`);
  if (totalPages > 0) links.push(`<${withPage(url, totalPages)}>; rel="last"`);
  return links.join(', ');
}

/** Returns only the query: such a link works behind a proxy that serves us under its own path. */
function withPage(url: string, page: number, after?: string): string {
  const parameters = new URLSearchParams(url.split('?').slice(1).join('?'));
  parameters.set('page', String(page));
  parameters.delete('after');
  if (after !== undefined) parameters.set('after', after);
  return `?${parameters.toString()}`;
}
