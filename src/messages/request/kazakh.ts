import { grouped, quoted } from '../base/kazakh-wording.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const components = {
  database: 'дерекқор қолжетімсіз',
  object_store: 'объектілер қоймасы қолжетімсіз',
  'identity provider': 'сәйкестендіру сервері қолжетімсіз',
};
const types = new Map([
  ['string', 'мәтін'],
  ['int', 'бүтін сан'],
  ['number', 'сан'],
  ['boolean', 'true немесе false'],
  ['array', 'тізім'],
  ['tuple', 'тізім'],
  ['object', 'объект'],
  ['record', 'объект'],
  ['null', 'null'],
]);
const formats = new Map([
  ['guid', 'UUID идентификаторы'],
  ['uuid', 'UUID идентификаторы'],
  ['date', 'ЖЖЖЖ-АА-КК түріндегі күнтізбелік күн'],
  ['datetime', 'ЖЖЖЖ-АА-ККTсс:мм:ссZ түріндегі уақыт'],
  ['url', 'схемасы көрсетілген URL мекенжайы, мысалы https://maps.example'],
]);
const bounds = new Map([
  ['at most', 'ең көбі'],
  ['at least', 'кемінде'],
  ['exactly', 'дәл'],
]);

export const kazakh = {
  access: {
    tokenMissing: () => 'қолжетімділік токені қажет: Authorization: Bearer <токен>',
    tokenInvalid: () => 'токен жарамсыз немесе оның мерзімі өткен',
    scopeMissing: (scope) => `токенде ${scope} құқығы жоқ`,
    foreignPage: () =>
      'басқа дереккөздегі бет деректерді өзгерте алмайды; оның дереккөзін CORS_ALLOWED_ORIGINS тізіміне қосуға болады',
    hostNotListed: () => 'сервис бұл хост атауымен жауап бермейді; ол ALLOWED_HOSTS тізімінде жоқ',
    hostNotLoopback: () =>
      'сервис бұл хост атауымен жауап бермейді; ALLOWED_HOSTS ішінде сервистің атауларын немесе PUBLIC_URL ішінде оның мекенжайын көрсетіңіз',
  },
  advice: {
    packShapefile:
      '.shp файлын .shx, .dbf және .prj файлдарымен бірге бір .zip мұрағатына салып, соны жүктеңіз',
    saveTable:
      'файлды осы сервистің бетінде таңдаңыз: ол ӘАОЖ кестелерін .xlsx, .xls, .ods және .csv файлдарынан оқиды; немесе кестені GeoJSON ретінде сақтаңыз: QGIS ішінде «Export > Save Features As…» таңдап, геометрия түрін «No Geometry» деп көрсетіңіз',
    exportVector:
      'файлды GeoJSON немесе GeoPackage пішіміне экспорттаңыз, QGIS ішінде «Export > Save Features As…» арқылы',
    renameGeoJson: 'бұл GeoJSON болса, файлға .geojson кеңейтімін беріңіз',
    packZip: 'оны .zip мұрағатына салыңыз',
    sendAsRaster: 'бұл — растр: оны file_type raster мәнімен жіберіңіз',
    convertRaster:
      'файлды GeoTIFF пішіміне түрлендіріңіз, QGIS ішінде «Export > Save As…» немесе gdal_translate арқылы',
    unpackRaster: 'мұрағатты ашып, ішіндегі .tif файлын жүктеңіз',
  },
  body: {
    cutShort: () => 'сұрау денесі толық алынбады',
    tooLarge: (maxBytes) => `сұрау денесінің көлемі ${grouped(maxBytes)} байттан аспауы тиіс`,
    nestedTooDeep: (levels) => `сұрау денесінің кірістірілуі ${grouped(levels)} деңгейден аспауы тиіс`,
    notUtf8: () => 'сұрау денесі UTF-8 кодтамасында емес',
    notJson: () => 'сұрау денесі JSON емес',
    notAnObject: () => 'сұрау денесі JSON объектісі болуы тиіс',
    encoded: () => 'сұрау денесінде Content-Encoding болмауы тиіс',
    notMultipart: () => 'сұрау денесі multipart/form-data пішімінде болуы тиіс',
    noBoundary: () => 'multipart денесінде бөліктер шегі (boundary) көрсетілмеген',
    brokenMultipart: () => 'multipart денесі бүлінген немесе толық алынбады',
  },
  field: {
    missing: 'міндетті өріс',
    blank: 'бос болмауы тиіс',
    repeated: 'бір реттен көп жіберілді',
    notStorable: 'U+0000 таңбасы немесе суррогат жұптың жартысы болмауы тиіс',
    beforeYearOne: '0001-01-01 күнінен ерте болмауы тиіс',
    notAllowed: 'рұқсат етілген мәндердің қатарында жоқ',
    tooManyCharacters: (max) => `${grouped(max)} таңбадан аспауы тиіс`,
    wrongType: (expected) => (types.has(expected) ? `${types.get(expected)} болуы тиіс` : 'түрі дұрыс емес'),
    wrongFormat: (format) =>
      formats.has(format) ? `${formats.get(format)} болуы тиіс` : 'пішімі дұрыс емес',
    notAmong: (choices) =>
      choices.length === 1
        ? `${choices.map(String).join(', ')} болуы тиіс`
        : `мына мәндердің бірі болуы тиіс: ${choices.map(String).join(', ')}`,
    notMultipleOf: (divisor) => `${withEnding(String(divisor), 'dative')} еселі болуы тиіс`,
    writtenLike: (example) => `мына үлгі бойынша жазылуы тиіс: ${example}`,
    namesUnknown: (unknown, known) =>
      `${unknown.map(quoted).join(', ')}: мұндай мәндер жоқ; бар мәндер: ${known.join(', ')}`,
    notNames: (known, most) =>
      `мына мәндердің 1-ден ${withEnding(most, 'dative')} дейінгісі үтірмен, бос орынсыз жазылуы тиіс: ${known.join(', ')}`,
    escaped: '% тізбектерінсіз жазылуы тиіс',
    notACursor: 'осы тізімнің Link тақырыбынан алынуы тиіс',
    unknownKeys: (keys) => `мыналар болмауы тиіс: ${keys.join(', ')}`,
    wrongCount: (noun, bound, limit) =>
      `${bounds.get(bound) ?? bound} ${limit} ${noun === 'character' ? 'таңба' : 'элемент'} болуы тиіс`,
    wrongSize: (bound, limit) => `${bounds.get(bound) ?? bound} ${limit} болуы тиіс`,
    outOfRange(min, max, isInteger = true) {
      const noun = isInteger ? 'бүтін сан' : 'сан';
      if (min !== undefined && max !== undefined) return `${min} және ${max} аралығындағы ${noun} болуы тиіс`;
      if (min !== undefined) return `${withEnding(min, 'ablative')} кем емес ${noun} болуы тиіс`;
      return max === undefined
        ? `${noun} болуы тиіс`
        : `${withEnding(max, 'ablative')} аспайтын ${noun} болуы тиіс`;
    },
  },
  file: {
    gone: () => 'файл енді жоқ',
    changed: 'бұл If-Match ішінде көрсетілген файл емес; оны толығымен қайта алыңыз',
    outOfRange: (sizeBytes) => `ауқым файлдан тыс жатыр, файлдың көлемі — ${grouped(sizeBytes)} байт`,
  },
  file_fault: {
    nameless: 'файл атауы болуы тиіс',
    empty: 'бос',
    wrongContent: (extension, found, remedy) =>
      `алғашқы байттарына қарағанда, ${extension} файлы емес${found === undefined ? '' : `: бұл — ${found}`}; ${remedy}`,
    wrongExtension: (allowed, hint) =>
      `мына кеңейтімдердің бірі болуы тиіс: ${allowed.join(', ')}${hint === undefined ? '' : `; ${hint}`}`,
  },
  key: {
    underWay: () => 'осы Idempotency-Key бар сұрау әлі орындалуда; сол кілтпен қайта сұраңыз',
    otherRequest: () => 'осы Idempotency-Key басқа сұраумен жіберілген; жаңа сұрауға жаңа кілт керек',
  },
  key_fault: {
    syntax: 'қос тырнақшадағы жол болуы тиіс, мысалы "8e03978e-40d5-43e8-bc93-6894a57f9324"',
    length: (max) => `ұзындығы 1-ден ${grouped(max)} таңбаға дейін болуы тиіс`,
  },
  meta: {
    syntax: 'JSON объектісі болуы тиіс',
    depth: (levels) => `кірістірілуі ${grouped(levels)} деңгейден аспауы тиіс`,
  },
  part: {
    tooManyParts: (max) => `форманың бөліктері ${grouped(max)} данадан аспауы тиіс`,
    fileForText: 'файл емес, мәтін болуы тиіс',
    textForFile: 'файл ретінде, атауымен бірге жіберілуі тиіс',
    tooLong: (maxBytes) => `${grouped(maxBytes)} байттан аспауы тиіс`,
    notUtf8: 'U+0000 таңбасынсыз UTF-8 кодтамасында болуы тиіс',
    filenameTooLong: (maxBytes) => `файл атауы ${grouped(maxBytes)} байттан аспауы тиіс`,
    filenameNotUtf8: 'файл атауы UTF-8 кодтамасында болуы тиіс',
  },
  request: {
    noSuchPath: () => 'бұл жолда ештеңе жоқ',
    methodNotAllowed: (method, allowed) =>
      `мұнда ${method} әдісіне рұқсат жоқ; рұқсат етілгендері: ${allowed}`,
    hostMissing: () => 'Host тақырыбы жоқ',
    unknownMcpVersion: (version, known) =>
      `MCP-Protocol-Version тақырыбындағы ${quoted(version)} нұсқасына қолдау жоқ; қолдау бар нұсқалар: ${known.join(', ')}`,
    hostRepeated: () => 'Host тақырыбы бір реттен көп жіберілді',
    codingInHttp10: () => 'HTTP/1.0 нұсқасында Transfer-Encoding жоқ',
    codingNotChunked: () => 'Transfer-Encoding мәні chunked болуы тиіс',
    queryNotUtf8: () => 'сұрау жолында UTF-8 емес тізбек бар',
    wrongParameters: (faults) =>
      Object.entries(faults)
        .map(([name, fault]) => `${name}: ${fault}`)
        .join('; '),
    wrongContentType: () => 'Content-Type тақырыбы қате',
    listTooLong: () =>
      'деректер жиындарынан іздеу бір секундтан асады; сұрауды қайталаңыз немесе тізімді санат, топ, түр не күй бойынша тарылтыңыз',
  },
  server: { internalError: 'ішкі қате' },
  service: { unavailable: (component) => components[component] },
  upload: {
    fileGone: () => 'Жүктелген файл объектілер қоймасында енді жоқ; оны қайта жүктеңіз.',
    noSuchUpload: () => 'мұндай жүктеу жоқ',
    expired: () => 'жүктеудің мерзімі өтті; оны қайтадан бастаңыз',
    wrongVersion: () => 'Tus-Resumable тақырыбы 1.0.0 болуы тиіс',
    notConcatenated: () =>
      'файл бір жүктеумен жіберіледі: tus-js-client ішіндегі parallelUploads үшін қажет concatenation кеңейтімі қолданылмайды',
    notDeferred: () =>
      'жүктеудің ұзындығы басынан Upload-Length ішінде көрсетіледі: creation-defer-length кеңейтімі қолданылмайды',
    wrongMetadata: () =>
      'Upload-Metadata тақырыбында әрқайсысы бір рет жазылған атаулар мен олардың UTF-8 мәтінінен алынған Base64 түріндегі мәндері болуы тиіс',
    wrongMediaType: (type) => `Content-Type тақырыбы ${type} болуы тиіс`,
    unknownChecksum: (algorithms) =>
      `Upload-Checksum тақырыбында ${algorithms.join(', ')} алгоритмдерінің бірі, бос орын және Base64 түріндегі бақылау қосындысы болуы тиіс`,
    wrongChecksum: () => 'байттардың бақылау қосындысы Upload-Checksum тақырыбындағыға сәйкес емес',
    otherOffset: (received) => `жүктеудің ${grouped(received)} байты келді; содан әрі жалғастырыңыз`,
    takenOver: () => 'жүктеуді басқа сұрау жалғастырды',
    tooLarge: (maxBytes) => `файлдың көлемі ${grouped(maxBytes)} байттан аспауы тиіс`,
    beyondEnd: (length) => `жүктеудің жалпы көлемі ${grouped(length)} байт, одан аспайды`,
    tooMany: (max) => `${grouped(max)} жүктеу аяқталмаған; кейінірек қайталап көріңіз`,
    full: () => 'аяқталмаған жүктеулер өздеріне бөлінген орынды түгел алды; кейінірек қайталап көріңіз',
  },
} satisfies Translations<typeof english>;
