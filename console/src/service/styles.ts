import { type Undrawn, undrawnParts } from '../../../common/maps/style/undrawn.ts';
import { ask, fetchFromService, refusalOf } from './ask.ts';

/** A dataset or a group, as its path names it. */
export type StyleOwner = `/datasets/${string}` | `/dataset-groups/${string}`;

/** Stores an SLD in place of the one before. @returns what of it is not drawn. @throws {Refused} */
export async function storeStyle(owner: StyleOwner, file: File): Promise<readonly Undrawn[]> {
  const body = new FormData();
  body.append('file', file);
  return await fetchFromService(`${owner}/sld`, { method: 'POST', body }, async (response) => {
    if (!response.ok) throw await refusalOf(response, 'POST');
    const codes = (response.headers.get('x-style-left-out') ?? '').split(',');
    return undrawnParts.filter((part) => codes.includes(part));
  });
}

/** Removes the style of a dataset itself, which then has that of its group. @throws {Refused} */
export async function removeOwnStyle(id: string): Promise<void> {
  await ask(`/datasets/${encodeURIComponent(id)}/sld/own`, { method: 'DELETE' });
}
