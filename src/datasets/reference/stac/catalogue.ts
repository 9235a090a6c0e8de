import { z } from 'zod';
import { invalidFields } from '../../../lib/errors.ts';
import type { Message } from '../../../lib/message.ts';
import { stacFaults } from '../../../messages/datasets/english.ts';
import type { RemoteDocument } from '../../../remote/https-files.ts';
import { RemoteFault } from '../../../remote/remote-answer.ts';
import { isReferableName } from '../create-reference.ts';

/** More items are not read. */
export const mostItems = 500;
/** Documents that lead to them: catalogues, collections, pages. */
const mostDocuments = 1000;
/** Items and documents that are named as refused; a document may have millions of broken items. */
export const mostRefused = 1000;
/** Longer names are not kept, longer links not followed. */
const mostCharacters = 2000;
/** Files that one item offers. */
const mostAssets = 1000;

const Name = z.string().max(mostCharacters);
const Title = Name.nullish().catch(null);
const Link = z.object({ rel: z.string(), href: Name, method: z.string().optional() });
const Links = z
  .array(z.unknown())
  .transform((links) => links.flatMap((link) => Link.safeParse(link).data ?? []));
const Time = z.string().nullish();
const Asset = z.object({ href: Name, title: Title });
const Item = z.object({
  type: z.literal('Feature'),
  id: Name.min(1),
  properties: z.object({ datetime: Time, start_datetime: Time, end_datetime: Time }),
  assets: z.record(z.string(), z.unknown()),
});
const Page = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(z.unknown()),
  links: Links.default([]),
});
const Catalogue = z.object({
  type: z.enum(['Catalog', 'Collection']),
  title: Title,
  id: Name,
  links: Links,
});

/** An item with the files that can be registered. */
export interface StacItem {
  readonly id: string;
  /** Days; null without a time. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** Addresses of its assets by key, with their titles. */
  readonly assets: ReadonlyMap<string, { readonly address: string; readonly title: string | null }>;
}

/** The steps of a walk: items, and places that cannot be read. */
export type Met =
  | { readonly item: StacItem }
  | { readonly title: string }
  | { readonly place: string; readonly refusal: Message };

type Read = (address: string, signal: AbortSignal) => Promise<RemoteDocument>;

/**
 * Yields the items to which an address leads, in the order of its links: an item, a page of items and the pages after it, or a collection
 * or catalogue with its items, pages and children. Each document is read once; a link that cannot be followed is yielded with the reason.
 * @throws {Problem} `invalid` if the address itself cannot be read, or is not STAC.
 */
export async function* walkItems(
  read: Read,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<Met, void, void> {
  const waiting = [address];
  const seen = new Set(waiting);
  for (let documents = 0; waiting.length > 0; documents += 1) {
    const at = waiting.shift() ?? '';
    if (documents === mostDocuments) {
      yield { place: at, refusal: stacFaults.tooManyDocuments(mostDocuments) };
      return;
    }
    try {
      const document = await read(at, signal);
      const { met, next } = understand(document);
      yield* met;
      for (const href of next) {
        if (seen.size > mostDocuments) break; // no more are read
        const link = resolved(href, document.address);
        if (seen.has(link)) continue;
        seen.add(link);
        waiting.push(link);
      }
    } catch (error) {
      if (!(error instanceof RemoteFault)) throw error;
      if (at === address) throw invalidFields({ address: error.told }, error);
      yield { place: at, refusal: error.told };
    }
  }
}

/** Returns what a document has, and the links to those to which it leads. @throws {RemoteFault} if it is not STAC. */
function understand({ address, bytes }: RemoteDocument): {
  readonly met: Iterable<Met>;
  readonly next: readonly string[];
} {
  const document = parsed(bytes);
  const page = Page.safeParse(document).data;
  if (page !== undefined) {
    const next = page.links.filter(({ rel }) => rel === 'next');
    const post = next.find(({ method = 'GET' }) => method.toUpperCase() !== 'GET');
    return {
      met: metOnPage(page.features, post?.href, address),
      next: next.filter((link) => link !== post).map(({ href }) => href),
    };
  }
  const catalogue = Catalogue.safeParse(document).data;
  if (catalogue !== undefined) {
    const { links, title, id } = catalogue;
    // The pages of an API hold all items; the links of a static collection lead to one each.
    const pages = links.filter(({ rel }) => rel === 'items');
    const others = links.filter(({ rel }) => rel === 'item' || rel === 'child');
    const next = pages.length > 0 ? pages.slice(0, 1) : others;
    return { met: [{ title: title ?? id }], next: next.map(({ href }) => href) };
  }
  if (!Item.safeParse(document).success) throw new RemoteFault(stacFaults.notStac);
  return { met: [toMet(document, address)], next: [] };
}

/** Understands one item after the other, because the walk may end at any of them. */
function* metOnPage(features: readonly unknown[], post: string | undefined, address: string): Generator<Met> {
  for (const feature of features) yield toMet(feature, address);
  if (post !== undefined) yield { place: post, refusal: stacFaults.pagesByPost };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new RemoteFault(stacFaults.notStac, { cause: error });
  }
}

function toMet(value: unknown, base: string): Met {
  const item = Item.safeParse(value).data;
  if (item === undefined) return { place: base, refusal: stacFaults.wrongItem };
  const { datetime, start_datetime: start, end_datetime: end } = item.properties;
  const assets = new Map<string, { readonly address: string; readonly title: string | null }>();
  for (const [key, value] of Object.entries(item.assets)) {
    const asset = key.length > mostCharacters ? undefined : Asset.safeParse(value).data;
    if (asset === undefined) continue;
    const address = resolved(asset.href, base);
    if (isReferableName(address)) assets.set(key, { address, title: asset.title ?? null });
    if (assets.size === mostAssets) break;
  }
  const startDate = dayOf(start ?? datetime);
  return { item: { id: item.id, startDate, endDate: dayOf(end ?? datetime) ?? startDate, assets } };
}

/** Returns a link as an address; one that is none stays as it is, and is refused where it is read. */
function resolved(href: string, base: string): string {
  return href.startsWith('s3://') ? href : (URL.parse(href, base)?.href ?? href);
}

/** Returns the day of a time in UTC. */
function dayOf(time: string | null | undefined): string | null {
  const date = new Date(time ?? Number.NaN);
  const day = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? day : null;
}
