import { formatNumber } from '../../../../../common/formats/numbers.ts';
import { type Forms, pluralsOf } from '../../../words/plural.ts';
import type { CountedMark } from '../../../spreadsheets/model/types.ts';
import { statusNames } from '../../../words/statuses.ts';
import type { en } from './en.ts';

const plural = pluralsOf('ru');
const number = (count: number): string => formatNumber(count, 'ru');
const counted = (count: number, forms: Forms): string => `${number(count)} ${plural(count, forms)}`;
const rows = (count: number): string =>
  counted(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' });
const cells = (count: number): string =>
  counted(count, { one: 'ячейка', few: 'ячейки', many: 'ячеек', other: 'ячейки' });
const columns = (count: number): string =>
  counted(count, { one: 'столбец', few: 'столбца', many: 'столбцов', other: 'столбца' });

/** Marks with their meanings, each with its number of cells. */
function signs(marks: readonly CountedMark[]): string {
  return marks
    .map(({ sign, status, count }) => `«${sign}» — ${statusNames.ru[status]} (${number(count)})`)
    .join(', ');
}

function at(where: string): string {
  return where === '' ? '' : ` (${where})`;
}

export const ru: typeof en = {
  title: 'Электронная таблица',
  reading: 'Таблица читается…',
  working: 'Подождите…',
  packing: 'Таблица готовится к отправке…',
  sheet: 'Лист',
  sheetName: (name, count, isHidden) => `${name} · ${rows(count)}${isHidden ? ' · скрытый' : ''}`,
  sheetTable: 'Таблица на этом листе',
  chooseTable: (count) =>
    `На этом листе ${counted(count, { one: 'таблица', few: 'таблицы', many: 'таблиц', other: 'таблицы' })}. Выберите одну; другие можно отправить после неё.`,
  codesDiffer: (count, first) =>
    `Код не соответствует названию рядом: ${cells(count)}, первая — «${first}». Отправлены будут коды; если верны названия, выберите для столбца кодов другую роль.`,
  withoutHidden: 'Не брать скрытые строки и столбцы',
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
  unit: 'Единица измерения',
  unitOfAll: 'Прочитана в таблице; её показывают карта и легенда.',
  unitsDiffer: (units) =>
    `У столбцов разные единицы: ${units.join(', ')}. Столбцы для карты и пересчёт выбираются на следующем шаге.`,
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
      'Это книга Excel 4 или более ранней версии. Откройте её в LibreOffice, сохраните как .xlsx и перетащите новый файл сюда.',
    encrypted: () =>
      'Книга защищена паролем. Откройте её, сохраните копию без пароля и перетащите копию сюда.',
    otherSpreadsheet: () =>
      'Таблицы этого вида, например .xlsb или веб-страница с расширением .xls, здесь не читаются. Сохраните файл как .xlsx и перетащите его сюда.',
    notSpreadsheet: () => 'Это не электронная таблица. Steppe читает .xlsx, .xls, .ods, .csv и .tsv.',
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
    formulasOnly: (where) =>
      `Формулы этого листа сохранены без значений${at(where)}. Откройте файл в Excel или LibreOffice, сохраните его и перетащите сюда ещё раз.`,
    unquotedCommas: (where) =>
      `В строках больше ячеек, чем в заголовке${at(where)}: числа записаны с десятичной запятой, и запятая же отделяет ячейки. Сохраните файл с точкой с запятой, с табуляцией или как .xlsx.`,
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
    missingMarks: ({ count, text, row, marks = [] }) =>
      `Знак вместо значения, оставлено пустым: ${cells(count)}, первая — «${text}» в строке ${row}${marks.length === 0 ? '' : `. Знаки сохраняются как примечания: ${signs(marks)}`}.`,
    errorCells: ({ count, text, row }) =>
      `Ошибка вместо значения, оставлено пустым: ${cells(count)}, первая — ${text} в строке ${row}.`,
    formulasWithoutValue: ({ count }) =>
      `Формула сохранена без значения, оставлено пустым: ${cells(count)}. Откройте файл в Excel или LibreOffice и сохраните заново.`,
    negatives: ({ count, text, became, row }) =>
      `Числа в скобках прочитаны как отрицательные: ${cells(count)}; ${text} в строке ${row} — это ${became}.`,
    footnoteMarks: ({ count, text, became, row, marks = [] }) =>
      `Знак после числа: ${cells(count)}; ${text} в строке ${row} — это ${became}. Знаки сохраняются как примечания: ${signs(marks)}.`,
    percents: ({ count, column, text }) =>
      `«${column}», проценты: ${cells(count)}; из ${text} взято число перед знаком.`,
    textInValues: ({ count, column, text, row }) =>
      `«${column}», текст среди чисел: ${cells(count)}, первая — «${text}» в строке ${row}.`,
    decimalCommasAssumed: ({ column, text }) =>
      `«${column}»: неясно, что значит запятая в числах вроде ${text}; она прочитана как десятичная.`,
    mixedCommas: ({ column, text }) =>
      `«${column}»: одни запятые отделяют тысячи, другие — дробную часть${text === undefined ? '' : `; в ${text} запятая прочитана как десятичная`}.`,
    decimalPointsAssumed: ({ column, text }) =>
      `«${column}»: неясно, что значит точка в числах вроде ${text}; она прочитана как десятичная.`,
    mixedPoints: ({ column, text }) =>
      `«${column}»: одни точки отделяют тысячи, другие — дробную часть${text === undefined ? '' : `; в ${text} точка прочитана как десятичная`}.`,
    namesRepeated: ({ text }) => `Столбцы с одинаковым названием «${text}» пронумерованы.`,
    noHeader: () => 'Заголовок не найден; столбцы названы буквами.',
    periodAbove: ({ text, became }) => `В столбцах не указано время. Оно взято из «${text}»: ${became}.`,
    partAbove: ({ text, became }) =>
      `В столбцах указаны только годы. День или часть года взяты из «${text}»: ${became}.`,
    periodsOpen: ({ count, text }) =>
      `Время понято не целиком, поэтому даты нет: ${columns(count)}, первый — «${text}». Укажите период при выборе столбцов.`,
    severalTables: ({ count, text }) =>
      `На этом листе ${counted(count, { one: 'таблица', few: 'таблицы', many: 'таблиц', other: 'таблицы' })}; они не объединяются. Показана ${text}.`,
    mergedValues: ({ count, text, row, column }) =>
      `Число стоит в объединённой ячейке на несколько строк или столбцов и не принадлежит ни одному из них, оставлено пустым: ${cells(count)}, первая — ${text} в строке ${row}, «${column}».`,
    hiddenKept: ({ count, text, row }) =>
      `Скрыто в книге и всё же прочитано: ${rows(count)} и ${columns(Number(text))}${row === undefined ? '' : `, первая — строка ${row}`}.`,
    hiddenLeftOut: ({ count, text }) =>
      `Скрыто в книге и не вошло в таблицу: ${rows(count)} и ${columns(Number(text))}.`,
    valuesDivided: ({ count, text, became, row }) =>
      `Прочитано так, как показывает формат: ${cells(count)}; ${text} в строке ${row} — это ${became}.`,
    charsetGuessed: ({ text }) =>
      `Буквы этого файла не в Юникоде. Вероятнее всего, это ${text}; так они и прочитаны. Проверьте названия.`,
    bytesLost: ({ count }) =>
      `Не соответствует ни одной букве и заменено знаком «\ufffd»: ${counted(count, { one: 'байт', few: 'байта', many: 'байтов', other: 'байта' })}.`,
    commasJoined: ({ count }) =>
      `Десятичные запятые стояли без кавычек в файле, где запятая отделяет ячейки; целые и дробные части соединены: ${rows(count)}.`,
    rowsLonger: ({ count, row }) =>
      `Ячеек больше, чем в заголовке: ${rows(count)}, первая — строка ${row}. Где числа стоят за последним столбцом, все числа строки не вошли в таблицу.`,
    groupsFilled: ({ count, text, row, column }) =>
      `«${column}» записано один раз на группу и взято сверху: ${rows(count)}, первая — «${text}» в строке ${row}.`,
    placesTwice: ({ count, text, row }) =>
      `Место уже встречалось выше: ${rows(count)}, первая — «${text}» в строке ${row}. Карта показывает последнюю строку каждого места.`,
    codesShort: ({ count, column, text }) =>
      `«${column}»: меньше девяти цифр: ${cells(count)}, например ${text}; вместо кодов взяты названия.`,
    partsFound: ({ count, text, row }) =>
      `Части показателя той же территории стали столбцами: ${rows(count)}, первая — «${text}» в строке ${row}.`,
    partsAssumed: ({ text, row }) =>
      `Неясно, частью чего ${row === undefined ? `являются столбцы после «${text}»` : `является «${text}» в строке ${row}`}. Проверьте названия столбцов.`,
    partsOpen: ({ count, text, row }) =>
      `После слов «в том числе» стоят территории или части показателя: ${rows(count)}, первая — «${text}» в строке ${row}. Они оставлены территориями.`,
    remarksLeftOut: ({ count }) =>
      `В таблице слишком много столбцов: примечания к значениям не вошли в неё (${columns(count)}).`,
    unitsMixed: ({ text }) =>
      `В одном столбце строки в разных единицах: ${text}. Такие значения нельзя сравнивать; оставьте строки с одной единицей.`,
    cellsCopied: ({ count, text, row, column }) =>
      `«${column}»: текст объединённой ячейки взят сверху: ${cells(count)}, первая — «${text}» в строке ${row}.`,
    valuesTwice: ({ count, row, column }) =>
      `Второе значение для того же места и времени: ${cells(count)}, первая — в строке ${row}, «${column}»; оставлено первое значение.`,
    periodsUnreadable: ({ count, row, text }) =>
      `Время не читается, строки не вошли в таблицу: ${rows(count)}, первая — «${text}» в строке ${row}.`,
    columnsLeftOut: ({ text }) =>
      `Столбец «${text}» различается в строках одного места и не вошёл в таблицу.`,
  },
};
