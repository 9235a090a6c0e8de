import { readable } from '../../lib/readable.ts';
import type { Sentences } from '../areas.ts';
import { counted, form, grouped, listed, quoted } from './wording.ts';

const named = (column: string): string => `«${readable(column, 255)}»`;
const anotherMapping = 'запросите другое сопоставление (POST /datasets/{id}/retry?step=mapping)';
const longCell = ({ column, length, row }: { column: string; length: number; row: number }): string =>
  `Столбец «${column}» содержит в строке ${row} текст длиной ${counted(length, 'символ', 'символа', 'символов')}`;

export const tables: Sentences<'table' | 'table_warning'> = {
  table: {
    noColumns: () =>
      'В файле нет столбцов, поэтому сопоставлять нечего: добавьте столбец с кодами КАТО и хотя бы один столбец со значениями.',
    longRow: (row, millions) =>
      `Строка ${row} таблицы атрибутов длиннее ${grouped(millions)} млн символов; сократите её тексты или удалите столбцы и загрузите файл снова.`,
    columnGone: (column) =>
      `Столбца «${column}» в файле больше нет; загрузите файл снова и задайте сопоставление заново.`,
    longCode: (cell) => `${longCell(cell)}; ${anotherMapping} и укажите столбец с кодами КАТО.`,
    longValue: (cell) => `${longCell(cell)}; ${anotherMapping} и укажите столбцы со значениями.`,
    tooMuchText: (code, mebibytes) =>
      `Тексты кода «${code}» вместе занимают больше ${grouped(mebibytes)} МиБ, а столько карта показать не может; ${anotherMapping} и укажите столбцы со значениями.`,
  },
  table_warning: {
    mixedCommas: (column) =>
      `В столбце ${named(column)} есть и десятичные запятые, и запятые между тысячами; каждая ячейка прочитана отдельно.`,
    ambiguousCommas: (column) =>
      `В столбце ${named(column)} после каждой запятой ровно три цифры, поэтому запятые могут разделять тысячи; они прочитаны как десятичные.`,
    rowsWithoutCode: (column, { read, skipped }) =>
      `В ${counted(skipped, 'строке', 'строках', 'строках')} из ${grouped(read)} нет кода в столбце ${named(column)}; ${form(skipped, { one: 'она пропущена', other: 'они пропущены' })}.`,
    codesRepaired: (column, { text, code, rows }) =>
      `В ${counted(rows, 'строке', 'строках', 'строках')} код в столбце ${named(column)} был изменён другой программой; он прочитан как девять цифр кода КАТО, например ${quoted(text)} как ${code}.`,
    codesShortened: (column, { text, rows }) =>
      `В столбце ${named(column)} ${counted(rows, 'код записан', 'кода записаны', 'кодов записаны')} текстом с показателем степени, например ${quoted(text)}, и могли потерять цифры. Сверьте их с источником; перед новым экспортом задайте столбцу текстовый формат.`,
    codesWithoutDistrict(column, { rows, withoutDistrict, codes }) {
      const first = listed(codes.map(quoted));
      if (withoutDistrict < rows)
        return `В ${counted(withoutDistrict, 'строке', 'строках', 'строках')} из ${grouped(rows)} с кодом в столбце ${quoted(column)} указан код, которого при извлечении не было ни у одного района, поэтому на карте их нет. Первые из этих кодов: ${first}.`;
      return `Ни в одной строке с кодом в столбце ${quoted(column)} (всего ${grouped(rows)}) нет кода, который при извлечении был бы у какого-либо района, поэтому карта пуста. Первые коды: ${first}. Вероятно, это не столбец кодов КАТО; отправьте сопоставление с верным столбцом.`;
    },
  },
};
