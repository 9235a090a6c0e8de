import { grouped, listed, quoted } from '../base/kazakh-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const wait = ': өңдеу барысын GET /datasets/{id}/status көрсетеді';
export const nextSteps = {
  pending: wait,
  processing: wait,
  parsing: wait,
  awaiting_mapping:
    ': келесі қадам — attribute_columns ішіндегі бағандармен POST /datasets/{id}/mapping сұрауы',
  extracting: wait,
  ready: '',
  failed: ': себебі parse_error ішінде, ал POST /datasets/{id}/retry өңдеуді қайта бастайды',
};
type Status = keyof typeof nextSteps;

function nextStepOf({ status, kato_column: mapped }: { status: Status; kato_column: string | null }) {
  if (status !== 'failed' || mapped === null) return nextSteps[status];
  return `${nextSteps.failed} немесе step=mapping арқылы басқа сәйкестендіруге жол ашады`;
}

const unknownColumn = 'деректер жиынының attribute_columns тізімінде жоқ';

const anotherMapping = 'басқа сәйкестендіруді сұратып (POST /datasets/{id}/retry?step=mapping)';
const longCell = ({ column, length, row }: { column: string; length: number; row: number }): string =>
  `«${column}» бағанының ${row}-жолында ұзындығы ${grouped(length)} таңба мәтін бар`;

const instead = 'Файлды жүктеп алып, осында жүктеңіз.';

export const kazakh = {
  category: {
    notFound: () => 'мұндай санат жоқ',
    codeTaken: () => 'бұл код басқа санатта бар',
    inUse: (users) =>
      users === 'datasets' ? 'санатта әлі де деректер жиындары бар' : 'санаттың әлі де ішкі санаттары бар',
  },
  category_fault: {
    noParent: 'жоқ',
    ownAncestor: 'санатты өзінің арғы тегіне айналдырмауы тиіс',
    slug: 'латынның кіші әріптерінен, цифрлардан және олардың арасындағы жалғыз дефистерден тұруы тиіс',
  },
  dataset: {
    notFound: () => 'мұндай деректер жиыны жоқ',
    noneFreshest: () => 'деректер жиындарының мұндай тобы жоқ немесе ондағы бірде-бір жиын сәйкес келмейді',
    noReport: () => 'файл әлі қаралған жоқ',
    adopted: ({ name, runs }) =>
      `деректер жиыны бекітілген ${quoted(name)} есептеуіне${runs > 1 ? ` және тағы ${grouped(runs - 1)} бекітілген есептеуге` : ''} кіреді, сондықтан оны жоюға болмайды; алдымен есептеудің күйін өзгертіңіз`,
    nothingToChange: (fields) =>
      `сұрау денесінде мына өрістердің кемінде біреуі болуы тиіс: ${fields.join(', ')}`,
    notFailed: (status) =>
      `тек қатемен аяқталған өңдеуді қайталауға болады; бұл деректер жиынының күйі — ${status}${nextSteps[status]}`,
    neverMapped: () =>
      'қате бағандар сәйкестендірілгенге дейін болған, сондықтан қайтарып алатын ештеңе жоқ: себебі parse_error ішінде, ал POST /datasets/{id}/retry файлды қайта оқиды',
    rasterForGeoJson: () => 'растрда GeoJSON болмайды',
    noGeoJsonYet: (dataset) =>
      `деректер жиынының күйі — ${dataset.status}; GeoJSON күй ready болғанда пайда болады${nextStepOf(dataset)}`,
    noTable: () => 'қатарлар тек vector_with_kato деректер жиынында болады',
    noSeriesYet: (dataset) =>
      `деректер жиынының күйі — ${dataset.status}; қатарлар күй ready болғанда пайда болады${nextStepOf(dataset)}`,
    notARaster: () => 'COG тек растрда болады',
    noCogYet: (status) => `растрдың күйі — ${status}; оның COG файлы жасалмаған${nextSteps[status]}`,
    noStatistics: () => 'статистика тек растрда болады',
    noStatisticsYet: (status) =>
      `растрдың күйі — ${status}; оның пиксельдері күй ready болғанда саналады${nextSteps[status]}`,
    notCountedYet: () => 'растрдың пиксельдері саналып жатыр: сұрауды сәл кейінірек қайталаңыз',
    notCountable: () =>
      'растрдың статистикасы жоқ: мәндері комплекс сандар немесе пиксельдерін санау мүмкін болмады',
    notCounted: () => 'растрдың пиксельдерін санау мүмкін болмады; сервис кейінірек қайта тырысады',
  },
  dataset_fault: {
    noCategory: 'мұндай санат жоқ',
    noGroup: 'деректер жиындарының мұндай тобы жоқ',
    endBeforeStart: 'start_date күнінен ерте болмауы тиіс',
  },
  group: {
    notFound: () => 'деректер жиындарының мұндай тобы жоқ',
    codeTaken: () => 'бұл код деректер жиындарының басқа тобында бар',
    inUse: () => 'топта әлі де деректер жиындары бар',
  },
  mapping: {
    wrongFileType: () => 'бағандарды тек vector_with_kato деректер жиынында сәйкестендіруге болады',
    wrongStatus: (dataset) =>
      `деректер жиынының күйі ${dataset.status} болғанда бағандарды сәйкестендіруге болмайды${nextStepOf(dataset)}`,
    tooEarly: (dataset) =>
      `деректер жиынының күйі ${dataset.status} болғанда бұл белгісіз${nextStepOf(dataset)}`,
    notReadAgain: () =>
      'кесте файлын қайта оқу мүмкін болмады; бір минуттан кейінгі сұрау тағы бір рет тырысады',
  },
  mapping_fault: {
    notAYearColumn: 'column, start_date және кезең үшін end_date өрістері бар объект болуы тиіс',
    endBeforeStart: 'start_date күнінен ерте болмауы тиіс',
    katoColumn: 'ӘАОЖ (КАТО) бағаны ретінде таңдалып қойған',
    mappedTwice: 'бір реттен көп сәйкестендірілген',
    factorWithoutUnits:
      'unit және source_unit өрістерімен бірге беріледі, сонда қайта есептеуді тексеруге болады',
    unknownColumn,
    misspeltColumn: (meant) => `${unknownColumn}; мүмкін, ${quoted(meant)} деп жазғыңыз келді ме?`,
    unknownAmong: (names) => `${unknownColumn}; онда мыналар бар: ${listed(names.map(quoted))}`,
  },
  table: {
    noColumns: () =>
      'Файлда бағандар жоқ, сондықтан сәйкестендіретін ештеңе жоқ: ӘАОЖ (КАТО) кодтары бар бағанды және мәндері бар кемінде бір бағанды қосыңыз.',
    longRow: (row, millions) =>
      `Атрибуттар кестесінің ${row}-жолында ${grouped(millions)} миллион таңбадан көп; мәтіндерін қысқартып немесе бағандарды жойып, файлды қайта жүктеңіз.`,
    columnGone: (column) =>
      `Файлда «${column}» бағаны енді жоқ; файлды қайта жүктеп, қайтадан сәйкестендіріңіз.`,
    longCode: (cell) => `${longCell(cell)}; ${anotherMapping}, ӘАОЖ (КАТО) кодтары бар бағанды көрсетіңіз.`,
    longValue: (cell) => `${longCell(cell)}; ${anotherMapping}, мәндері бар бағандарды көрсетіңіз.`,
    tooMuchText: (code, mebibytes) =>
      `«${code}» кодының мәтіндері барлығы ${grouped(mebibytes)} МиБ-тан көп, карта мұншаны көрсете алмайды; ${anotherMapping}, мәндері бар бағандарды көрсетіңіз.`,
  },
  remote: {
    off: 'Сервис басқа серверлердің файлдарын оқымайды: әкімші REFERENCE_HOSTS пен REFERENCE_BUCKETS ішінде бірде-бірін көрсетпеген.',
    notAnAddress:
      'пайдаланушы аты, құпиясөзі мен фрагменті жоқ https мекенжайы немесе s3://бакет/кілт түріндегі объект болуы керек, ұзындығы 2000 таңбадан аспайды',
    hostNotListed: (host) =>
      `Сервис әкімшісі ${host} серверін REFERENCE_HOSTS тізіміне енгізбеген, сондықтан одан ештеңе оқылмайды.`,
    bucketNotListed: (bucket) =>
      `Сервис әкімшісі ${bucket} бакетінің бұл бөлігін REFERENCE_BUCKETS ішінде көрсетпеген, сондықтан одан ештеңе оқылмайды.`,
    bucketSettings: (bucket) =>
      `${bucket} бакеті сервис әкімшісі ол үшін берген баптаулармен және қатынау кілттерімен оқылмайды.`,
    longDocument: (host, mostMiB) => `${host} серверіндегі құжат ${mostMiB} МиБ-тан ұзын.`,
    privateAddress: (host) =>
      `${host} мекенжайы жеке немесе резервтелген желіде, ал сервис ондай желіден ешқашан оқымайды.`,
    noSuchHost: (host) => `${host} атауының мекенжайы жоқ.`,
    noAnswer: (host) => `${host} уақытында жауап бермеді.`,
    noConnection: (host) => `${host} серверіне қосылу сәтсіз аяқталды.`,
    badCertificate: (host) => `${host} сертификаты оған жарамсыз немесе оны белгісіз орталық берген.`,
    redirectedAway: (host) =>
      `Мекенжай ${host} серверіне бағыттайды, ал ол REFERENCE_HOSTS тізіміндегі сервердің https мекенжайы емес.`,
    tooManyRedirects: (host) => `${host} қайта-қайта бағыттай береді.`,
    denied: (host) => `${host} файлды бермейді. ${instead}`,
    missing: (host) => `${host} серверінде бұл мекенжайда файл жоқ.`,
    otherStatus: (host, status) => `${host} ${status} күйімен жауап берді.`,
    noRanges: (host) => `${host} файлдарды бөліктеп (диапазонмен) бермейді. ${instead}`,
    encoded: (host) =>
      `${host} файлды мазмұн кодтауымен жібереді, оның бөліктерін оқу мүмкін емес. ${instead}`,
    noLength: (host) => `${host} файлдың ұзындығын хабарламайды. ${instead}`,
    otherBytes: (host) => `${host} хабарлағанынан басқа байттар жіберді.`,
    empty: 'Файл бос.',
    tooLarge: (mostGiB) => `Файл ${mostGiB} ГиБ-тан үлкен.`,
    changed: (host) =>
      `${host} серверіндегі файл тіркелген файл емес. Оны жаңа деректер жиыны ретінде қайта тіркеңіз.`,
    wrongName:
      'Файл атауы .tif, .tiff немесе .fgb деп аяқталуы керек: басқа серверде тек Cloud-Optimized GeoTIFF пен FlatGeobuf қала алады.',
    notATiff: 'Файл атауына қарамастан TIFF емес.',
    notAFlatGeobuf: 'Атауына қарамастан, файл FlatGeobuf емес.',
  },
  origin: {
    invented: 'Ойдан шығарылған деректер, тек көрсету үшін',
    ofInvented: (names) => `Тек көрсету үшін. Ойдан шығарылған деректерден есептелген: ${names}`,
    deleted: 'жойылған деректер жиыны',
    isMeasured: 'өлшенген',
    isDerived: 'өлшемдерден шығарылған',
    isInvented: 'ойдан шығарылған',
  },
  reference: {
    notCog: () =>
      `Файл толық Cloud-Optimized GeoTIFF емес: оның бөліктерін жеке оқу мүмкін емес. ${instead} Сонда сервис оны түрлендіреді.`,
    notAReference: () => 'деректер жиынының файлы осында сақталған',
    notReady: () => 'деректер жиыны дайын емес; дайын болғанда оның файлын көшіруге болады',
  },
  stac_import: {
    noImport: () => 'мұндай тіркеу жоқ немесе оған 30 күннен асқан',
    notNow: () => 'элементтерді оқу мүмкін болмады; кейінірек қайталаңыз',
  },
  stac_source: {
    notStac: 'Құжат STAC элементі, элементтер тізімі, жинағы немесе каталогы емес.',
    wrongItem: 'Онда id, properties немесе assets мүшесі жоқ элемент бар.',
    noAsset: (asset) => `Элементте тіркеуге болатын ${quoted(asset)} файлы жоқ.`,
    pagesByPost:
      'Келесі беттер POST әдісімен сұралады, сервис оны жасамайды. Беттері GET әдісімен сұралатын мекенжайды көрсетіңіз.',
    tooManyDocuments: (most) =>
      `Элементтерге апаратын құжаттар саны ${most} шегінен асады; қалғандары оқылмайды.`,
  },
} satisfies Translations<typeof english>;
