import { readable } from '../../lib/readable.ts';
import { counted, form, grouped, listed, quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const named = (column: string): string => `«${readable(column, 255)}»`;

export const russian = {
  export: {
    tooManyWaiting: (most) =>
      `своей очереди уже ждут ${grouped(most)} запрошенных вами файлов; повторите запрос, когда придут некоторые из них`,
    holdsTooMuch: (mebibytes) =>
      `файлы, которые вы скачиваете, занимают ${grouped(mebibytes)} МиБ — всё место, которое даётся одному клиенту; повторите запрос, когда скачаете некоторые из них`,
    tooLarge: (mebibytes) =>
      `файл занял бы больше ${grouped(mebibytes)} МиБ; запросите его часть по kato_code или CSV в gzip`,
    noRoom: () =>
      'для этого файла нет места: его занимают файлы, которые скачивают другие; повторите запрос через несколько секунд',
    diskFull: () => 'на диске сервиса нет места для файла; повторите запрос позже',
    tookTooLong: () => 'файл записывался больше получаса; запросите его часть по kato_code',
    changes: () => 'набор данных изменился, пока записывался его файл; повторите запрос',
  },
  table_out: {
    noTable: () => 'скачать наблюдения можно только у набора данных типа vector_with_kato',
    noVector: () =>
      'в GeoParquet выгружаются только наборы данных типов vector и vector_with_kato; растр выгружается как .cog',
    tooManyColumns: (columns, most) =>
      `на листе может быть не больше ${grouped(most)} столбцов, а в этой таблице их ${grouped(columns)}: возьмите observations.csv или shape=long`,
    tooWide: (columns, most) =>
      `в файле Parquet может быть не больше ${grouped(most)} столбцов, а в этой таблице их ${grouped(columns)}: возьмите observations.csv или shape=long`,
    largeFeature: (number, maxMiB) =>
      `объект ${number} больше ${maxMiB} МиБ, а один объект в GeoParquet здесь может быть не больше: возьмите .fgb набора данных`,
    tooManyAttributes: (columns, most) =>
      `в GeoParquet может быть не больше ${grouped(most)} столбцов, а в этом наборе данных их ${grouped(columns)}: возьмите его .fgb`,
    noRates: () => 'знаменатель есть только у набора данных типа vector_with_kato',
    notAnotherTable: () => 'dataset_id не указывает на другой набор данных типа vector_with_kato',
    noDenominator: () => 'у таблицы нет знаменателя: его задаёт PUT /datasets/{id}/denominator',
    denominatorGone: () =>
      'таблица, которая была знаменателем, удалена: другую задаёт PUT /datasets/{id}/denominator',
    denominatorWaits: (name) =>
      `знаменатель ${quoted(name)} ещё не готов: его состояние сообщает GET /datasets/{id}/status`,
    tooManyDates: () => 'у таблицы и её знаменателя слишком много дат, чтобы их сопоставить',
  },
  denominator: {
    none: 'у таблицы нет знаменателя',
    ready: (label) => `значения можно показать ${label}`,
    someDates: (label, without) =>
      `значения можно показать ${label}; дат, для которых у знаменателя нет периода: ${grouped(without)}`,
    gone: 'таблица, которая была знаменателем, удалена: выберите другую',
    waits: (name) => `знаменатель ${quoted(name)} ещё не готов`,
    perKm2: 'на 1 км²',
    perHa: (per) => `на ${grouped(per)} га`,
    perUnit: (per, unit) => `на ${grouped(per)} ${unit}`,
  },
  table_word: {
    aboutSheet: 'О таблице',
    tableSheet: 'Таблица',
    source: 'Файл',
    dataset: 'Идентификатор набора данных',
    uploaded: 'Загружено (UTC)',
    unit: 'Единица измерения',
    description: 'Описание',
    mapping: 'Столбец кодов',
    columns: 'Столбцы и их даты',
    units: 'Единицы столбцов',
    version: 'Версия территорий',
    method: 'Как получено',
    methodText:
      'Значения — какими они прочитаны из файла: числа не округлены, текст на месте числа сохранён. Названия — сегодняшние. Текст длиннее 32 767 знаков обрезан; в CSV он целиком.',
    wideText: 'Строка на каждую строку файла с кодом, в порядке файла, со столбцами, которым назначены даты.',
    longText:
      'Строка на каждое значение, по кодам и датам. Если в land_since стоит дата, границы территории тогда изменились: значения до этой даты относятся к другой площади.',
    rate: 'Относительный показатель',
    rateText: (label) =>
      `Значение ${label}. Ячейка пуста, если значение не число либо у знаменателя на эту дату нет числа или там ноль.`,
    denominator: 'Знаменатель',
    areaText: 'Площадь территории в гектарах, геодезическая, на эллипсоиде WGS 84',
    periodsUsed: 'Периоды знаменателя',
    name: 'Название',
    nothing: 'нет',
  },
  table_warning: {
    mixedCommas: (column) =>
      `В столбце ${named(column)} есть и десятичные запятые, и запятые между тысячами; каждая ячейка прочитана отдельно.`,
    ambiguousCommas: (column) =>
      `В столбце ${named(column)} после каждой запятой ровно три цифры, поэтому запятые могут разделять тысячи; они прочитаны как десятичные.`,
    mixedPoints: (column) =>
      `В столбце ${named(column)} есть и десятичные точки, и точки между тысячами; каждая ячейка прочитана отдельно.`,
    ambiguousPoints: (column) =>
      `В текстах столбца ${named(column)} после каждой точки ровно три цифры, поэтому точки могут разделять тысячи; они прочитаны как десятичные.`,
    codesRepeated: (column, { units, rows, codes }) =>
      `В столбце ${named(column)} ${counted(units, 'код повторяется', 'кода повторяются', 'кодов повторяются')}: на них приходится ${counted(rows, 'строка', 'строки', 'строк')}. Карта показывает последнюю строку каждого кода. Первые из этих кодов: ${listed(codes.map(quoted))}.`,
    converted: (column, { factor, from, to }) =>
      `Числа столбца ${named(column)} умножены на ${grouped(factor)}: из ${quoted(from)} в ${quoted(to)}, как указано в сопоставлении.`,
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
    unitsWithoutBorder: (column, { rows, units, codes }) =>
      `В столбце ${quoted(column)} в ${counted(rows, 'строке', 'строках', 'строках')} указаны коды территорий, которые есть в классификаторе, но границ которых в сервисе нет (территорий: ${grouped(units)}): их значения сохранены, но на карте их нет. Первые из этих кодов: ${listed(codes.map(quoted))}. Границы загружает команда \`./steppe districts import\`.`,
  },
} satisfies Translations<typeof english>;
