import type { AllSentences } from '../areas.ts';
import { grouped, quoted } from './landscape/wording.ts';

export const tables = {
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
} satisfies Partial<AllSentences>;
