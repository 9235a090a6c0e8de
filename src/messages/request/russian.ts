import { counted, grouped, quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const components = {
  database: 'база данных недоступна',
  object_store: 'хранилище объектов недоступно',
  'identity provider': 'сервер удостоверений недоступен',
};
const types = new Map([
  ['string', 'текстом'],
  ['int', 'целым числом'],
  ['number', 'числом'],
  ['boolean', 'true или false'],
  ['array', 'списком'],
  ['tuple', 'списком'],
  ['object', 'объектом'],
  ['record', 'объектом'],
  ['null', 'значением null'],
]);
const formats = new Map([
  ['guid', 'идентификатором UUID'],
  ['uuid', 'идентификатором UUID'],
  ['date', 'календарной датой вида ГГГГ-ММ-ДД'],
  ['datetime', 'временем вида ГГГГ-ММ-ДДTчч:мм:ссZ'],
  ['url', 'адресом URL со схемой, например https://maps.example'],
]);
const bounds = new Map([
  ['at most', 'не более'],
  ['at least', 'не менее'],
  ['exactly', 'ровно'],
]);
const bytes = (count: number): string => counted(count, 'байта', 'байт', 'байт');

export const russian = {
  access: {
    tokenMissing: () => 'требуется токен доступа: Authorization: Bearer <токен>',
    tokenInvalid: () => 'токен недействителен или больше не действует',
    scopeMissing: (scope) => `у токена нет права ${scope}`,
    foreignPage: () =>
      'страница из другого источника не может изменять данные; её источник можно указать в CORS_ALLOWED_ORIGINS',
    hostNotListed: () => 'сервис не отвечает под этим именем узла; его нет в ALLOWED_HOSTS',
    hostNotLoopback: () =>
      'сервис не отвечает под этим именем узла; укажите имена сервиса в ALLOWED_HOSTS или её адрес в PUBLIC_URL',
  },
  advice: {
    packShapefile: 'упакуйте файл .shp вместе с .shx, .dbf и .prj в один архив .zip и загрузите его',
    saveTable:
      'выберите файл на странице этого сервиса: она читает таблицы по КАТО из .xlsx, .xls, .ods и .csv; или сохраните таблицу как GeoJSON: в QGIS выберите «Экспорт > Сохранить объекты как…», формат GeoJSON, тип геометрии «Без геометрии»',
    exportVector:
      'экспортируйте файл в GeoJSON или GeoPackage, в QGIS — через «Экспорт > Сохранить объекты как…»',
    renameGeoJson: 'если это GeoJSON, дайте файлу расширение .geojson',
    packZip: 'упакуйте его в архив .zip',
    sendAsRaster: 'это растр: отправьте его с file_type raster',
    convertRaster:
      'преобразуйте файл в GeoTIFF: в QGIS через «Экспорт > Сохранить как…» или с помощью gdal_translate',
    unpackRaster: 'распакуйте архив и загрузите файл .tif из него',
  },
  body: {
    cutShort: () => 'тело запроса получено не полностью',
    tooLarge: (maxBytes) => `размер тела запроса должен быть не более ${bytes(maxBytes)}`,
    nestedTooDeep: (levels) =>
      `вложенность тела запроса должна быть не более ${counted(levels, 'уровня', 'уровней', 'уровней')}`,
    notUtf8: () => 'тело запроса не в кодировке UTF-8',
    notJson: () => 'тело запроса не является JSON',
    notAnObject: () => 'тело запроса должно быть объектом JSON',
    encoded: () => 'тело запроса не должно иметь Content-Encoding',
    notMultipart: () => 'тело запроса должно быть в формате multipart/form-data',
    noBoundary: () => 'в теле multipart не указан разделитель частей (boundary)',
    brokenMultipart: () => 'тело multipart повреждено или получено не полностью',
  },
  field: {
    missing: 'обязательное поле',
    blank: 'не должно быть пустым',
    repeated: 'передано более одного раза',
    notStorable: 'не должно содержать символ U+0000 или половину суррогатной пары',
    beforeYearOne: 'не должно быть раньше 0001-01-01',
    notAllowed: 'не входит в число допустимых значений',
    tooManyCharacters: (max) =>
      `должно содержать не более ${counted(max, 'символа', 'символов', 'символов')}`,
    wrongType: (expected) =>
      types.has(expected) ? `должно быть ${types.get(expected)}` : 'имеет неверный тип',
    wrongFormat: (format) =>
      formats.has(format) ? `должно быть ${formats.get(format)}` : 'имеет неверный формат',
    notAmong: (choices) =>
      `должно быть ${choices.length === 1 ? 'равно' : 'одним из значений:'} ${choices.map(String).join(', ')}`,
    notMultipleOf: (divisor) => `должно быть кратно ${divisor}`,
    writtenLike: (example) => `должно быть записано по образцу: ${example}`,
    namesUnknown: (unknown, known) =>
      `${unknown.map(quoted).join(', ')}: таких значений нет; есть ${known.join(', ')}`,
    notNames: (known, most) =>
      `должно содержать от 1 до ${most} значений через запятую без пробелов: ${known.join(', ')}`,
    escaped: 'должно быть записано без последовательностей с %',
    notACursor: 'должно быть взято из заголовка Link этого списка',
    unknownKeys: (keys) => `не должно содержать ${keys.join(', ')}`,
    wrongCount: (noun, bound, limit) =>
      `должно содержать ${bounds.get(bound) ?? bound} ${
        noun === 'character'
          ? counted(Number(limit), 'символа', 'символов', 'символов')
          : counted(Number(limit), 'элемента', 'элементов', 'элементов')
      }`,
    wrongSize: (bound, limit) => `должно быть ${bounds.get(bound) ?? bound} ${limit}`,
    outOfRange(min, max, isInteger = true) {
      const noun = isInteger ? 'должно быть целым числом' : 'должно быть числом';
      if (min !== undefined && max !== undefined) return `${noun} от ${min} до ${max}`;
      if (min !== undefined) return `${noun} не меньше ${min}`;
      return max === undefined ? noun : `${noun} не больше ${max}`;
    },
  },
  file: {
    gone: () => 'файла больше нет',
    changed: 'файл не тот, который указан в If-Match; получите его целиком заново',
    outOfRange: (sizeBytes) => `диапазон лежит за пределами файла, размер которого ${grouped(sizeBytes)} Б`,
  },
  file_fault: {
    nameless: 'должен иметь имя файла',
    empty: 'пуст',
    wrongContent: (extension, found, remedy) =>
      `судя по первым байтам, не является файлом ${extension}${found === undefined ? '' : `: это ${found}`}; ${remedy}`,
    wrongExtension: (allowed, hint) =>
      `должен иметь одно из расширений ${allowed.join(', ')}${hint === undefined ? '' : `: ${hint}`}`,
  },
  key: {
    underWay: () => 'запрос с этим Idempotency-Key ещё выполняется; спросите снова с тем же ключом',
    otherRequest: () =>
      'этот Idempotency-Key уже передан с другим запросом; для нового запроса нужен новый ключ',
  },
  key_fault: {
    syntax: 'должно быть строкой в двойных кавычках, например "8e03978e-40d5-43e8-bc93-6894a57f9324"',
    length: (max) => `должно содержать от 1 до ${counted(max, 'символа', 'символов', 'символов')}`,
  },
  meta: {
    syntax: 'должно быть объектом JSON',
    depth: (levels) => `вложенность должна быть не более ${counted(levels, 'уровня', 'уровней', 'уровней')}`,
  },
  part: {
    tooManyParts: (max) => `форма должна содержать не более ${counted(max, 'части', 'частей', 'частей')}`,
    fileForText: 'должно быть текстом, а не файлом',
    textForFile: 'должно быть передано как файл, с именем файла',
    tooLong: (maxBytes) => `должно занимать не более ${bytes(maxBytes)}`,
    notUtf8: 'должно быть в UTF-8 без символа U+0000',
    filenameTooLong: (maxBytes) => `имя файла должно занимать не более ${bytes(maxBytes)}`,
    filenameNotUtf8: 'имя файла должно быть в UTF-8',
  },
  request: {
    noSuchPath: () => 'по этому пути ничего нет',
    methodNotAllowed: (method, allowed) => `метод ${method} здесь не разрешён; разрешены ${allowed}`,
    hostMissing: () => 'нет заголовка Host',
    unknownMcpVersion: (version, known) =>
      `версия ${quoted(version)} в MCP-Protocol-Version не поддерживается; поддерживаются ${known.join(', ')}`,
    hostRepeated: () => 'заголовок Host передан более одного раза',
    codingInHttp10: () => 'в HTTP/1.0 нет Transfer-Encoding',
    codingNotChunked: () => 'Transfer-Encoding должен быть chunked',
    queryNotUtf8: () => 'в строке запроса есть последовательность, которая не является UTF-8',
    wrongParameters: (faults) =>
      Object.entries(faults)
        .map(([name, fault]) => `${name}: ${fault}`)
        .join('; '),
    wrongContentType: () => 'заголовок Content-Type неверен',
    listTooLong: () =>
      'поиск по наборам данных занимает больше секунды; повторите запрос или сузьте список по категории, группе, типу или статусу',
  },
  server: { internalError: 'внутренняя ошибка' },
  service: { unavailable: (component) => components[component] },
  upload: {
    fileGone: () => 'Загруженного файла больше нет в хранилище объектов; загрузите его снова.',
    noSuchUpload: () => 'такой загрузки нет',
    expired: () => 'срок загрузки истёк; начните её заново',
    wrongVersion: () => 'заголовок Tus-Resumable должен быть 1.0.0',
    notConcatenated: () =>
      'файл отправляется одной загрузкой: расширение concatenation, нужное для parallelUploads в tus-js-client, не поддерживается',
    notDeferred: () =>
      'длина загрузки указывается с самого начала в Upload-Length: расширение creation-defer-length не поддерживается',
    wrongMetadata: () =>
      'заголовок Upload-Metadata должен содержать имена, каждое один раз и со значением в Base64 от UTF-8',
    wrongMediaType: (type) => `заголовок Content-Type должен быть ${type}`,
    unknownChecksum: (algorithms) =>
      `заголовок Upload-Checksum должен содержать одно из ${algorithms.join(', ')}, пробел и контрольную сумму в Base64`,
    wrongChecksum: () => 'контрольная сумма байтов не совпадает с указанной в Upload-Checksum',
    otherOffset: (received) => `получено ${bytes(received)} загрузки; продолжайте после них`,
    takenOver: () => 'загрузку продолжил другой запрос',
    tooLarge: (maxBytes) => `файл должен занимать не более ${bytes(maxBytes)}`,
    beyondEnd: (length) => `загрузка занимает всего ${bytes(length)}, не больше`,
    tooMany: (max) =>
      `не завершено ${counted(max, 'загрузка', 'загрузки', 'загрузок')}; повторите попытку позже`,
    full: () => 'незавершённые загрузки заняли всё отведённое им место; повторите попытку позже',
  },
} satisfies Translations<typeof english>;
