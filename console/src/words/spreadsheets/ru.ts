import { type Forms, pluralsOf } from '../plural.ts';
import type { SpreadsheetWords } from './words.ts';

const plural = pluralsOf('ru');
const number = new Intl.NumberFormat('ru');
const counted = (count: number, forms: Forms): string => `${number.format(count)} ${plural(count, forms)}`;
const rows = (count: number): string =>
  counted(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' });
const cells = (count: number): string =>
  counted(count, { one: 'ячейка', few: 'ячейки', many: 'ячеек', other: 'ячейки' });
const columns = (count: number): string =>
  counted(count, { one: 'столбец', few: 'столбца', many: 'столбцов', other: 'столбца' });

function at(where: string): string {
  return where === '' ? '' : ` (${where})`;
}

export const ru: SpreadsheetWords = {
  title: 'Электронная таблица',
  reading: 'Таблица читается…',
  working: 'Подождите…',
  packing: 'Таблица готовится к отправке…',
  sheet: 'Лист',
  sheetName: (name, count, isHidden) => `${name} · ${rows(count)}${isHidden ? ' · скрытый' : ''}`,
  headerFirst: 'Заголовок начинается в строке',
  headerLines: 'Строк в заголовке',
  columnRole: (name) => `Что в столбце «${name}»`,
  roles: {
    code: 'Код КАТО',
    name: 'Название места',
    region: 'Название области',
    period: 'Время',
    indicator: 'Показатель',
    value: 'Значение',
    note: 'Прочее',
  },
  row: 'Строка',
  table: (count, width) => `${rows(count)}, ${columns(width)}`,
  shown: (count, width) => `Показано начало: ${rows(count)}, ${columns(width)}. Отправлено будет всё.`,
  scroll: 'Таблица, какой она будет отправлена; прокрутите её, чтобы увидеть всё',
  widen: (count) => `Развернуть длинную таблицу: одна строка на каждое место, значения — ${columns(count)}`,
  remarks: (count) =>
    counted(count, { one: 'замечание', few: 'замечания', many: 'замечаний', other: 'замечания' }),
  notes: 'Под таблицей',
  name: 'Название набора данных',
  keepsOriginal: 'Исходный файл сохранится вместе с таблицей, если он достаточно мал.',
  keepsTable: 'Сохранится только сама таблица.',
  needsKey: 'Укажите столбец с кодами или с названиями мест.',
  needsValues: 'Укажите хотя бы один столбец со значениями.',
  codeColumn: 'КАТО',
  send: 'Отправить таблицу',
  again: 'Повторить',
  faults: {
    empty: () => 'Файл пуст.',
    oldExcel: () =>
      'Это файл .xls, формат Excel до 2007 года. Откройте его в Excel или LibreOffice, сохраните как .xlsx и перетащите новый файл сюда.',
    encrypted: () =>
      'Книга защищена паролем. Откройте её, сохраните копию без пароля и перетащите копию сюда.',
    otherSpreadsheet: () =>
      'Таблицы этого вида здесь не читаются. Сохраните файл как .xlsx или .csv и перетащите его сюда.',
    notSpreadsheet: () => 'Это не электронная таблица. Steppe читает .xlsx, .csv и .tsv.',
    damaged: (where) =>
      `Таблица повреждена и не читается${at(where)}. Откройте её в Excel или LibreOffice и сохраните заново.`,
    tooLarge: (where) =>
      `Таблица слишком велика, чтобы прочитать её в браузере${at(where)}. Оставьте нужный лист и удалите остальные.`,
    tooManyFiles: (where) => `В книге больше частей, чем бывает на самом деле${at(where)}.`,
    tooTight: (where) =>
      `Часть книги при распаковке становится больше в двести с лишним раз, чего у настоящих книг не бывает${at(where)}. Она не прочитана.`,
    documentType: (where) =>
      `В книге объявлен тип документа, чего программы для таблиц не делают${at(where)}. Она не прочитана.`,
    tooManyCells: (where) =>
      `На листе больше ячеек, чем можно прочитать в браузере${at(where)}. Оставьте нужные строки и столбцы.`,
    noSheets: () => 'В книге нет листа с ячейками.',
    tooSlow: () =>
      'Чтение таблицы заняло слишком много времени и было прервано. Оставьте нужный лист и удалите остальные.',
    workerFailed: () =>
      'Чтение таблицы прервалось: не хватило памяти или не загрузилась часть страницы. Обновите страницу и повторите.',
    noTable: (where) => `На этом листе нет таблицы${at(where)}: не нашлось заголовка со значениями под ним.`,
    resultTooLarge: () => 'Таблица больше, чем принимает этот сервис. Оставьте нужные строки и столбцы.',
  },
  remark: {
    noKey: () => 'Нет столбца с кодами КАТО или с названиями районов. Укажите его в заголовке таблицы.',
    codesRepaired: ({ count, text, became }) =>
      `Коды, изменённые программой: ${cells(count)}; ${text} прочитано как ${became}.`,
    codesWereNumbers: ({ count, text }) =>
      `Коды, записанные числом: ${cells(count)}, например ${text}; теперь это текст.`,
    codesShortened: ({ count, text, became }) =>
      `Коды в экспоненциальной записи, которая могла потерять цифры: ${cells(count)}; ${text} прочитано как ${became}. Проверьте эти строки.`,
    codesUnreadable: ({ count, text, row }) =>
      `В столбце кодов не коды: ${cells(count)}, первая — «${text}» в строке ${row}.`,
    totalsKept: ({ count, text, row }) =>
      `Похоже на итоги и оставлено: ${rows(count)}, первая — «${text}» в строке ${row}.`,
    turned: ({ count }) =>
      `Районы стояли слева направо, таблица повёрнута: ${count}. Строки в замечаниях — это столбцы листа.`,
    rowsLeftOut: ({ count, text, row }) =>
      `Без значений и не вошли в таблицу: ${rows(count)}, первая — строка ${row}: «${text}».`,
    missingMarks: ({ count, text, row }) =>
      `Знак «нет данных», оставлено пустым: ${cells(count)}, первая — «${text}» в строке ${row}.`,
    errorCells: ({ count, text, row }) =>
      `Ошибка вместо значения, оставлено пустым: ${cells(count)}, первая — ${text} в строке ${row}.`,
    formulasWithoutValue: ({ count }) =>
      `Формула сохранена без значения, оставлено пустым: ${cells(count)}. Откройте файл в Excel или LibreOffice и сохраните заново.`,
    percents: ({ count, column, text }) =>
      `«${column}», проценты: ${cells(count)}; из ${text} взято число перед знаком.`,
    textInValues: ({ count, column, text, row }) =>
      `«${column}», текст среди чисел: ${cells(count)}, первая — «${text}» в строке ${row}.`,
    decimalCommasAssumed: ({ column, text }) =>
      `«${column}»: неясно, что значит запятая в числах вроде ${text}; она прочитана как десятичная.`,
    mixedCommas: ({ column, text }) =>
      `«${column}»: одни запятые отделяют тысячи, другие — дробную часть${text === undefined ? '' : `; в ${text} запятая прочитана как десятичная`}.`,
    namesRepeated: ({ text }) => `Столбцы с одинаковым названием «${text}» пронумерованы.`,
    noHeader: () => 'Заголовок не найден; столбцы названы буквами.',
    periodAbove: ({ text, became }) => `В столбцах не указано время. Оно взято из «${text}»: ${became}.`,
    valuesTwice: ({ count, row, column }) =>
      `Второе значение для того же места и времени: ${cells(count)}, первая — в строке ${row}, «${column}»; оставлено первое значение.`,
    periodsUnreadable: ({ count, row, text }) =>
      `Время не читается, строки не вошли в таблицу: ${rows(count)}, первая — «${text}» в строке ${row}.`,
    columnsLeftOut: ({ text }) =>
      `Столбец «${text}» различается в строках одного места и не вошёл в таблицу.`,
  },
};
