import { ask, fetchFromService, refusalOf } from './ask.ts';
import { askCounted, type AskingCounted } from './counted.ts';
import type { Dossier, DossierSignature } from './types.ts';

/** The rasters that a dossier can have. */
export const dossierParts = ['cogs', 'inputs'] as const;
export type DossierPart = (typeof dossierParts)[number];

/** Larger files are no signatures; the service says so, too. */
export const maxSignatureBytes = 256 * 1024;

/** What the dossier of a run has, and who has signed it. @throws {Refused} */
export async function getDossier(id: string, signal: AbortSignal): Promise<Dossier> {
  return await ask(pathOf(id), { signal });
}

/** The path of the file with some rasters. */
export function pathOfFile(id: string, parts: readonly DossierPart[]): string {
  return `${pathOf(id)}.zip${parts.length === 0 ? '' : `?with=${parts.join(',')}`}`;
}

/** The path of what is signed: the inventory of all documents as they are now, in a language. */
export const pathOfInventory = (id: string, language: string): string =>
  `${pathOf(id)}/inventory.json?lang=${language}`;
export const pathOfSignature = (id: string): string => `${pathOf(id)}/signature`;

/** The size of the file, once all is counted that it has. @throws {Refused} */
export async function sizeOfFile(path: string, asking: AskingCounted): Promise<number> {
  return await askCounted(path, { ...asking, method: 'HEAD' }, async ({ headers }) =>
    Number(headers.get('content-length')),
  );
}

/** Stores a signature over the inventory in a language. @throws {Refused} with 422 for one that is over other bytes */
export async function putSignature(id: string, file: File, language: string): Promise<DossierSignature> {
  const init = {
    method: 'PUT',
    headers: { 'content-type': 'application/pkcs7-signature' },
    body: await bytesOf(file),
  };
  return await fetchFromService(
    `${pathOfSignature(id)}?over=inventory&lang=${language}`,
    init,
    async (response) => {
      if (!response.ok) throw await refusalOf(response, 'PUT');
      return await response.json();
    },
  );
}

/** The bytes of a signature, which programs for signing also save as Base64, with or without lines around it (PEM). */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes).replace(/-----[A-Z0-9 ]+-----/g, '');
  if (!/^[A-Za-z0-9+/=\s]+$/.test(text)) return bytes;
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
  } catch {
    return bytes;
  }
}

const pathOf = (id: string): string => `/landscape/runs/${encodeURIComponent(id)}/dossier`;
