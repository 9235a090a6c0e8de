import { quoted as inEnglish } from '../../../lib/readable.ts';
import { createWording } from '../../landscape/wording.ts';

/** A noun keeps its singular behind a number, so that only other words ask for `form`. */
export const { grouped, form, listed, measured } = createWording('kk', (count) => ` және тағы ${count}`);

/** A stranger's name in the quotes of Kazakh. */
export function quoted(name: string): string {
  return `«${inEnglish(name).slice(1, -1)}»`;
}

/** The place of a geometry in the genitive; sentences have it as `feature 7`. */
export function ofPlace(where: string): string {
  return where.replace(/^feature (\d+)$/, '$1-нысанның');
}
