import { counted, grouped } from '../base/russian-wording.ts';
import { nextSteps } from '../datasets/russian.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const types = new Map([
  ['string', 'с текстом'],
  ['number', 'с числом'],
  ['integer', 'с числом'],
  ['date', 'с днём, например 2024-06-01, или со временем'],
  ['boolean', 'с true или false, и только через = и <>'],
  ['time', 'со временем, например 2024-06-01T00:00:00Z, или с интервалом'],
  ['geometry', 'с геометрией в S_INTERSECTS'],
]);
const positions = (max: number): string => counted(max, 'точки', 'точек', 'точек');

const valueNames: ReadonlyMap<string, string> = new Map([
  ['string', 'одним текстом'],
  ['boolean', 'true или false'],
  ['date', 'днём, например 2024-06-01'],
]);

export const russian = {
  filter: {
    syntax: (character) => `не является CQL2, начиная с символа ${character}`,
    notAnOperation: 'должно быть в CQL2 JSON: объект с op и args',
    tooManyParts: (max) => `должно содержать вместе не более ${max} операций, значений и точек`,
    tooDeep: (levels) =>
      `должно иметь не более ${counted(levels, 'операции', 'операций', 'операций')} друг в друге`,
    unsupported: (name) => `содержит ${name.slice(0, 64)}: здесь это не поддерживается`,
    unknownProperty: (name) => `содержит свойство ${name.slice(0, 64)}, по которому нельзя отбирать`,
    noProperty: (op) => `должно содержать свойство в каждой операции ${op}`,
    wrongArguments: (op) => `содержит ${op} с неверным числом аргументов`,
    wrongValue: (property, type) => `должно сравнивать ${property.slice(0, 64)} ${types.get(type) ?? type}`,
    wrongPattern: (property, max) =>
      `должно иметь после LIKE текст не длиннее ${counted(max, 'символа', 'символов', 'символов')}, а перед ним — текстовое свойство, не ${property.slice(0, 64)}`,
    wrongGeometry: (max) =>
      `должно иметь в S_INTERSECTS геометрию или рамку в градусах не более чем из ${positions(max)}`,
    tooCostly:
      'сравнивает геометрии со слишком большим числом рёбер; возьмите рамку или более простую геометрию',
  },
  standard: {
    unknownParameter: 'такого параметра у этого пути нет',
    unknownMember: 'такого поля в поиске нет; по любому свойству отбирает filter на CQL2 JSON',
    query: (operators) =>
      `должно быть объектом, где у каждого свойства стоит объект с операторами и значениями: ${operators.join(', ')}`,
    datetime:
      'должно быть временем, например 2024-06-01T00:00:00Z, или двумя через косую черту, сначала более раннее; вместо одного из них может стоять ..',
    bbox: 'должно состоять из четырёх чисел, с высотами — из шести: запад, юг, восток, север; юг не больше севера',
    geometry: (max) => `должно быть геометрией GeoJSON в градусах не более чем из ${positions(max)}`,
    format: (name) => `должно быть ${name}`,
    offset: 'должно быть целым числом не меньше 0',
    limit: 'должно быть целым числом не меньше 1',
    token: 'должно быть взято из ссылки next этого поиска',
    boxAndGeometry: 'нельзя передавать вместе с bbox',
    unknownSort: (names) => `должно быть одним из: ${names.join(', ')}; для обратного порядка — с - впереди`,
    noCollection: () => 'такой коллекции нет',
  },
  flatgeobuf: {
    noFeatures: () => 'FlatGeobuf есть только у вектора',
    noFeaturesYet: (status) =>
      `статус набора данных — ${status}; FlatGeobuf появится, когда статус станет ready${nextSteps[status]}`,
    featuresNotMade: () =>
      'у набора данных нет FlatGeobuf: для старого набора данных и после неудачной попытки он появится позже, а для файла со слишком большим числом объектов или столбцов не создаётся',
  },
  geopackage_out: {
    noVector: (type) =>
      `в GeoPackage выгружается только вектор; ${type === 'raster' ? 'растр выгружается как .cog' : 'таблица по КАТО выгружается как .parquet'}`,
    tooManyColumns: (columns, most) =>
      `в GeoPackage может быть не больше ${grouped(most)} столбцов, а в этом наборе данных их ${grouped(columns)}: возьмите его .fgb`,
    tooLarge: (features, maxMiB) =>
      `набор данных слишком велик для GeoPackage: в нём может быть не больше ${grouped(features)} объектов, а сами данные — не больше ${maxMiB} МиБ; возьмите .fgb, QGIS открывает и его`,
    largeFeature: (number, maxMiB) =>
      `объект ${number} больше ${maxMiB} МиБ, а один объект в GeoPackage здесь может быть не больше: возьмите .fgb набора данных`,
    noRoom: () => 'на диске сервиса нет места для GeoPackage; возьмите .fgb или повторите запрос позже',
  },
  ogc_feature: {
    noCollection: () => 'нет такой коллекции',
    geometryElsewhere: (number) =>
      `Геометрия объекта ${number} слишком велика для ответа: она есть в этом файле`,
    noFeature: () => 'нет такого объекта',
    tooLarge: (number, maxMiB) =>
      `объект ${number} больше ${maxMiB} МиБ; он есть в FlatGeobuf набора данных, а token=${number + 1} продолжает за ним`,
    crs: (addresses) => `должно быть ${addresses.join(' или ')}`,
    token: 'должно быть из ссылки next этой коллекции',
    unknownProperty: (name) => `называет «${name}», а у коллекции нет такого свойства`,
    filterLanguage: 'должно быть cql2-text или cql2-json',
    value: (type) => `должно быть ${valueNames.get(type) ?? 'числом'}`,
    noFeatures: () =>
      'эта коллекция — растр, объектов в ней нет: её тайлы находятся по адресу коллекции с /map/tiles',
  },
  event: {
    tooManyListeners: () => 'события принимает слишком много клиентов; повторите позже',
  },
  event_fault: {
    notAnEvent: 'должно быть идентификатором события',
    notAPlace: 'должно быть идентификатором события или 0, чтобы получить все сохранённые события',
    notTypes: (types) => `должно содержать значения из списка: ${types.join(', ')}, через запятую`,
  },
  webhook: {
    notFound: () => 'такого вебхука нет',
    tooMany: (most) => `вебхуков уже ${most}; удалите ненужный`,
    tooManySecrets: (most) =>
      `сообщения этого вебхука уже подписываются прежними секретами, их ${most}; keep_hours 0 прекращает их действие`,
    testsWait: (count) => `отправки ожидают проверочные сообщения этого вебхука: ${count}`,
    nothingToChange: (fields) => `в теле запроса должно быть хотя бы одно из полей ${fields.join(', ')}`,
  },
  webhook_fault: {
    notUrl:
      'должно быть адресом https без имени пользователя, пароля и фрагмента, не длиннее 2000 символов, например https://maps.example/hooks',
    privateUrl:
      'должно быть адресом https, который не ведёт в частную сеть; разрешить сети можно в WEBHOOK_ALLOWED_NETWORKS',
  },
  metadata: {
    noAbstract: 'У набора данных нет описания. Добавьте его: оно станет аннотацией записи.',
    noOrganisation:
      'Не указана организация, отвечающая за данные. Укажите её здесь или для всех наборов данных в METADATA_ORGANISATION.',
    noEmail:
      'Не указан адрес электронной почты для вопросов. Укажите его здесь или для всех наборов данных в METADATA_EMAIL.',
    noLicence:
      'Не указаны условия использования. Укажите лицензию здесь или для всех наборов данных в METADATA_LICENCE.',
    noTopic: 'Не выбрана тема по ISO 19115.',
    noLineage: 'Не указано происхождение данных.',
    noExtent:
      'Положение на местности неизвестно: набор данных не готов или в файле нет географической привязки.',
    noReferenceSystem:
      'Система координат неизвестна: набор данных не готов или в файле она не указана. Загрузите файл с системой координат.',
    noPeriod: 'Не указан период, к которому относятся данные.',
    noResolution: 'Не указан масштаб.',
    noKeywords: 'Нет ключевых слов.',
    lineageOfRun: (title, node, run) =>
      `${title}: вычислено узлом ${node} ландшафтной программы в расчёте ${run} по источникам, перечисленным ниже.`,
    unit: (unit) => `Единица измерения: ${unit}`,
    original: 'Исходный файл',
    cog: 'GeoTIFF, оптимизированный для облака (COG)',
    tiles: 'Тайлы карты в цветах стиля',
    geojson: 'Данные в формате GeoJSON',
    flatGeobuf: 'FlatGeobuf: каждый объект со своими атрибутами',
    geoPackage: 'GeoPackage для QGIS со стилем',
    geoParquet: 'Данные в формате GeoParquet',
    csv: 'Таблица в формате CSV',
    workbook: 'Таблица в формате XLSX',
    page: 'Набор данных',
    catalogue: 'Наборы данных Steppe',
    catalogueText: 'Геоданные: растры, векторы и таблицы по КАТО, а также рассчитанное по ним зонирование.',
    unknownOrganisation: 'не указано',
  },
} satisfies Translations<typeof english>;
