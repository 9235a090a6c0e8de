import { z } from 'zod';
import { invalidFields, Problem } from '../../../lib/errors.ts';
import { remoteFaults } from '../../../messages/datasets/english.ts';
import { type Language, translate } from '../../../messages/languages/translate.ts';
import { placeOf, type RemoteFiles } from '../../../remote/remote-files.ts';
import { mostRefused, type StacItem, walkItems } from './catalogue.ts';

/** A look reads no more. */
const lookedItems = 20;

export const StacLook = z
  .object({
    title: z.string().nullable().describe('Title of the collection; null if it has none'),
    items: z
      .array(
        z.object({
          id: z.string().describe('Id of the item'),
          start_date: z.string().nullable().describe('First day of its period; null without a time'),
          end_date: z.string().nullable().describe('Last day of its period'),
        }),
      )
      .describe(`The first ${lookedItems} items`),
    assets: z
      .array(
        z.object({
          key: z.string().describe('Key of the asset'),
          title: z.string().nullable().describe('Its title; null if it has none'),
          items: z.int().describe('Number of these items that have it'),
          refusal: z
            .string()
            .nullable()
            .describe('Why its address may not be read, such as a host that is not listed; otherwise null'),
        }),
      )
      .describe('Assets whose files can be registered by their names: GeoTIFF and FlatGeobuf'),
    refused: z
      .array(
        z.object({
          item: z.string().describe('Address of a document'),
          reason: z.string().describe('Why it is not read, in the language of the answer'),
        }),
      )
      .describe('Documents that could not be read'),
    complete: z.boolean().describe('False if there are more items, or if they were not read in time'),
  })
  .meta({
    id: 'StacLook',
    description: 'What a STAC address leads to',
    examples: [
      {
        title: 'Relief',
        items: [{ id: 'n51e066', start_date: '2026-02-01', end_date: '2026-02-01' }],
        assets: [{ key: 'visual', title: '3-Band Visual', items: 1, refusal: null }],
        refused: [],
        complete: true,
      },
    ],
  });
type StacLook = z.infer<typeof StacLook>;

/**
 * Reads the first items to which an address leads, and tells which files they offer.
 * @param signal ends the look, which then has what was found.
 * @throws {Problem} `invalid` if the address cannot be read, also not in time.
 */
export async function lookAt(
  remoteFiles: Pick<RemoteFiles, 'readDocument' | 'refusalOf'>,
  address: string,
  { language, signal }: { readonly language: Language; readonly signal: AbortSignal },
): Promise<StacLook> {
  const items: StacItem[] = [];
  const look: StacLook = { title: null, items: [], assets: [], refused: [], complete: true };
  let isRead = false;
  try {
    for await (const met of walkItems(remoteFiles.readDocument, address, signal)) {
      isRead = true;
      if ('title' in met) look.title ??= met.title;
      else if (items.length === lookedItems || look.refused.length === mostRefused) {
        look.complete = false;
        break;
      } else if ('refusal' in met)
        look.refused.push({ item: met.place, reason: translate(met.refusal, language) });
      else items.push(met.item);
    }
  } catch (error) {
    if (!signal.aborted || error instanceof Problem) throw error;
    if (!isRead) throw invalidFields({ address: remoteFaults.noAnswer(placeOf(address).host) }, error);
    look.complete = false;
  }
  look.items = items.map(({ id, startDate, endDate }) => ({ id, start_date: startDate, end_date: endDate }));
  for (const key of new Set(items.flatMap(({ assets }) => [...assets.keys()]))) {
    const found = items.flatMap(({ assets }) => assets.get(key) ?? []);
    const refusal = found.map(({ address: place }) => remoteFiles.refusalOf(place)).find(Boolean);
    look.assets.push({
      key,
      title: found[0]?.title ?? null,
      items: found.length,
      refusal: refusal === undefined ? null : translate(refusal, language),
    });
  }
  return look;
}
