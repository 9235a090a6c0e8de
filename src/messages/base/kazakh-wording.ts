import { quoted as inEnglish } from '../../lib/readable.ts';
import { createWording } from './wording.ts';

/** A noun keeps its singular after a number, so that only other words need `form`. */
export const { grouped, form, listed, measured } = createWording('kk', (count) => ` және тағы ${count}`);

/** Puts an untrusted name into Kazakh quotation marks. */
export function quoted(name: string): string {
  return `«${inEnglish(name).slice(1, -1)}»`;
}

/** Translates the place of a geometry, such as `feature 7`, in the genitive. */
export function ofPlace(where: string): string {
  return where.replace(/^feature (\d+)$/, '$1-нысанның');
}
