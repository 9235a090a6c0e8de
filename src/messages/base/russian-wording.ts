import { quoted as inEnglish } from '../../lib/readable.ts';
import { createWording } from './wording.ts';

export const { grouped, form, listed, measured } = createWording('ru', (count) => ` и ещё ${count}`);

/** Formats a number with its noun: `1 файл`, `2 файла`, `5 файлов`. */
export function counted(count: number, one: string, few: string, many: string): string {
  return `${grouped(count)} ${form(count, { one, few, many, other: few })}`;
}

/** Puts an untrusted name into Russian quotation marks. */
export function quoted(name: string): string {
  return `«${inEnglish(name).slice(1, -1)}»`;
}

/** Translates the place of a geometry, such as `feature 7`, in the genitive. */
export function ofPlace(where: string): string {
  return where.replace(/^feature (?=\d)/, 'объекта ');
}
