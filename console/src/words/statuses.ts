import type { Status } from '../../../common/table/marks.ts';

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
