import { readRemark, type Status, statuses } from '../../../common/table/marks.ts';
import type { Language } from './languages.ts';

type Names = Readonly<Record<Status, string>>;

const en: Names = {
  not_applicable: 'not applicable',
  not_available: 'not known',
  none: 'none',
  confidential: 'confidential',
  negligible: 'too small to show',
  revised: 'revised',
  provisional: 'provisional',
  estimated: 'estimated',
  note: 'footnote',
};

const ru: Names = {
  not_applicable: 'неприменимо',
  not_available: 'нет данных',
  none: 'явление отсутствует',
  confidential: 'конфиденциально',
  negligible: 'небольшая величина',
  revised: 'пересмотрено',
  provisional: 'предварительно',
  estimated: 'оценка',
  note: 'сноска',
};

const kk: Names = {
  not_applicable: 'қолданылмайды',
  not_available: 'дерек жоқ',
  none: 'құбылыс жоқ',
  confidential: 'құпия',
  negligible: 'шамалы',
  revised: 'қайта қаралған',
  provisional: 'алдын ала',
  estimated: 'бағалау',
  note: 'сілтеме',
};

/** Names of the meanings of marks in tables. */
export const statusNames = { en, ru, kk } as const;

/** The names of statuses, and a remark, as one text. */
export function remarkText(
  { status, remark }: { readonly status: string | null; readonly remark: string | null },
  language: Language,
): string {
  const names = statuses.filter((name) => status?.split(', ').includes(name));
  const said = names.map((name) => statusNames[language][name]).join(', ');
  return [said, remark ?? ''].filter((text) => text !== '').join(' · ');
}

/** A cell of a column of remarks. */
export const remarkCellText = (cell: string, language: Language): string =>
  remarkText(readRemark(cell), language);
