import { quoted as inEnglish } from '../../../lib/readable.ts';
import { createWording } from '../../landscape/wording.ts';

export const { grouped, form, listed, measured } = createWording('ru', (count) => ` и ещё ${count}`);

/** A number and its noun: `1 файл`, `2 файла`, `5 файлов`. */
export function counted(count: number, one: string, few: string, many: string): string {
  return `${grouped(count)} ${form(count, { one, few, many, other: few })}`;
}

/** A stranger's name in the quotes of Russian. */
export function quoted(name: string): string {
  return `«${inEnglish(name).slice(1, -1)}»`;
}

/** The place of a geometry in the genitive; sentences have it as `feature 7`. */
export function ofPlace(where: string): string {
  return where.replace(/^feature (?=\d)/, 'объекта ');
}
