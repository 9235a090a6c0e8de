import { readable } from '../../lib/readable.ts';
import { form, grouped, listed, quoted } from '../base/kazakh-wording.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const named = (column: string): string => `«${readable(column, 255)}»`;

export const kazakh = {
  export: {
    tooManyWaiting: (most) =>
      `сіз сұраған ${grouped(most)} файл кезегін күтіп тұр; олардың кейбірі келгенде қайта сұраңыз`,
    holdsTooMuch: (mebibytes) =>
      `сіз жүктеп жатқан файлдар ${grouped(mebibytes)} МиБ орын алады, бір клиентке бұдан көп берілмейді; олардың кейбірі жүктелгенде қайта сұраңыз`,
    tooLarge: (mebibytes) =>
      `файл ${withEnding(`${grouped(mebibytes)} МиБ`, 'ablative')} асып кетер еді; оның бөлігін kato_code арқылы немесе gzip түріндегі CSV сұраңыз`,
    noRoom: () =>
      'бұл файлға орын жоқ: оны басқалар жүктеп жатқан файлдар алып тұр; бірнеше секундтан кейін қайта сұраңыз',
    diskFull: () => 'сервис дискісінде бұл файлға орын жоқ; кейінірек қайта сұраңыз',
    tookTooLong: () => 'файл жарты сағаттан ұзақ жазылды; оның бөлігін kato_code арқылы сұраңыз',
    changes: () => 'файлы жазылып жатқанда деректер жиыны өзгерді; қайта сұраңыз',
  },
  table_out: {
    noTable: () => 'бақылауларды тек vector_with_kato түріндегі деректер жиынынан жүктеп алуға болады',
    noVector: () =>
      'GeoParquet түрінде тек vector және vector_with_kato деректер жиындары беріледі; растр .cog түрінде беріледі',
    tooManyColumns: (columns, most) =>
      `парақта ${grouped(most)} бағаннан көп болмайды, ал бұл кестеде ${grouped(columns)} баған бар: observations.csv немесе shape=long алыңыз`,
    tooWide: (columns, most) =>
      `Parquet файлында ${grouped(most)} бағаннан көп болмайды, ал бұл кестеде ${grouped(columns)} баған бар: observations.csv немесе shape=long алыңыз`,
    largeFeature: (number, maxMiB) =>
      `${number}-нысан ${maxMiB} МиБ-тан үлкен, ал мұнда GeoParquet ішіндегі бір нысан одан үлкен болмайды: деректер жиынының .fgb файлын алыңыз`,
    tooManyAttributes: (columns, most) =>
      `GeoParquet пішімінде ${grouped(most)} бағаннан көп болмайды, ал бұл деректер жиынында ${grouped(columns)} баған бар: оның .fgb файлын алыңыз`,
    noRates: () => 'бөлім тек vector_with_kato түріндегі деректер жиынында болады',
    notAnotherTable: () => 'dataset_id басқа vector_with_kato деректер жиынын көрсетпейді',
    noDenominator: () => 'кестенің бөлімі жоқ: оны PUT /datasets/{id}/denominator тағайындайды',
    denominatorGone: () =>
      'бөлім болған кесте жойылған: басқасын PUT /datasets/{id}/denominator тағайындайды',
    denominatorWaits: (name) =>
      `${quoted(name)} бөлімі әлі дайын емес: күйін GET /datasets/{id}/status айтады`,
    tooManyDates: () => 'кесте мен оның бөліміндегі күндер салыстыру үшін тым көп',
  },
  denominator: {
    none: 'кестенің бөлімі жоқ',
    ready: (label) => `мәндерді ${label} көрсетуге болады`,
    someDates: (label, without) =>
      `мәндерді ${label} көрсетуге болады; бөлімнің кезеңі жоқ күндер: ${grouped(without)}`,
    gone: 'бөлім болған кесте жойылған: басқасын таңдаңыз',
    waits: (name) => `${quoted(name)} бөлімі әлі дайын емес`,
    perKm2: '1 км²-ге шаққанда',
    perHa: (per) => `${grouped(per)} гектарға шаққанда`,
    perUnit: (per, unit) => `${grouped(per)} ${unit} есебімен`,
  },
  table_word: {
    aboutSheet: 'Кесте туралы',
    tableSheet: 'Кесте',
    source: 'Файл',
    dataset: 'Деректер жиынының идентификаторы',
    uploaded: 'Жүктелген (UTC)',
    unit: 'Өлшем бірлігі',
    description: 'Сипаттама',
    mapping: 'Кодтар бағаны',
    columns: 'Бағандар және олардың күндері',
    units: 'Бағандардың өлшем бірлігі',
    version: 'Аумақтардың нұсқасы',
    method: 'Қалай алынды',
    methodText:
      'Мәндер файлдан оқылған күйінде: сандар дөңгелектенбеген, санның орнындағы мәтін сақталған. Атаулар — бүгінгі. 32 767 таңбадан ұзын мәтін қысқартылған; CSV файлында ол толық.',
    wideText: 'Файлдың коды бар әр жолына бір жол, файлдағы ретпен, күн тағайындалған бағандармен.',
    longText:
      'Әр мәнге бір жол, код пен күн ретімен. land_since бағанында күн тұрса, аумақтың шекаралары сол күні өзгерген: оған дейінгі мәндер шекарасы басқа жерге қатысты.',
    rate: 'Салыстырмалы көрсеткіш',
    rateText: (label) =>
      `Мән ${label}. Мән сан болмаса не бөлімде сол күнге сан болмаса немесе нөл болса, ұяшық бос.`,
    denominator: 'Бөлім',
    areaText: 'Аумақтың гектармен алынған алаңы, WGS 84 эллипсоидында, геодезиялық',
    periodsUsed: 'Бөлімнің кезеңдері',
    name: 'Атауы',
    nothing: 'жоқ',
  },
  table_warning: {
    mixedCommas: (column) =>
      `${named(column)} бағанында ондық үтірлер де, мыңдықтарды бөлетін үтірлер де бар; әр ұяшық жеке оқылды.`,
    ambiguousCommas: (column) =>
      `${named(column)} бағанында әр үтірден кейін дәл үш цифр бар, сондықтан үтірлер мыңдықтарды бөлуі мүмкін; олар ондық үтір ретінде оқылды.`,
    mixedPoints: (column) =>
      `${named(column)} бағанында ондық нүктелер де, мыңдықтарды бөлетін нүктелер де бар; әр ұяшық жеке оқылды.`,
    ambiguousPoints: (column) =>
      `${named(column)} бағанындағы мәтіндерде әр нүктеден кейін дәл үш цифр бар, сондықтан нүктелер мыңдықтарды бөлуі мүмкін; олар ондық нүкте ретінде оқылды.`,
    codesRepeated: (column, { units, rows, codes }) =>
      `${named(column)} бағанында ${grouped(units)} код қайталанады: олар ${grouped(rows)} жолда тұр. Карта әр кодтың соңғы жолын көрсетеді. Осы кодтардың алғашқылары: ${listed(codes.map(quoted))}.`,
    converted: (column, { factor, from, to }) =>
      `${named(column)} бағанындағы сандар ${grouped(factor)} санына көбейтілді: ${quoted(from)} бірлігінен ${quoted(to)} бірлігіне, сәйкестендіруде көрсетілгендей.`,
    rowsWithoutCode: (column, { read, skipped }) =>
      `${grouped(read)} жолдың ${grouped(skipped)} жолында ${named(column)} бағанында код жоқ; ${form(skipped, { one: 'ол', other: 'олар' })} өткізіп жіберілді.`,
    codesRepaired: (column, { text, code, rows }) =>
      `${grouped(rows)} жолда ${named(column)} бағанындағы кодты басқа бағдарлама өзгерткен; ол ӘАОЖ (КАТО) кодының тоғыз цифры ретінде оқылды, мысалы ${quoted(text)} — ${code}.`,
    codesShortened: (column, { text, rows }) =>
      `${named(column)} бағанындағы ${grouped(rows)} код дәреже көрсеткіші бар мәтін түрінде жазылған, мысалы ${quoted(text)}; олардың цифрлары жоғалған болуы мүмкін. Оларды дереккөзбен салыстырыңыз; қайта экспорттар алдында бағанға мәтін пішімін беріңіз.`,
    codesWithoutDistrict(column, { rows, withoutDistrict, codes }) {
      const first = listed(codes.map(quoted));
      if (withoutDistrict < rows)
        return `${quoted(column)} бағанында коды бар ${grouped(rows)} жолдың ${grouped(withoutDistrict)} жолындағы код шығарып алу кезінде ешбір ауданда болмаған, сондықтан олар картада жоқ. Осы кодтардың алғашқылары: ${first}.`;
      return `${quoted(column)} бағанында коды бар ${grouped(rows)} жолдың бірде-біріндегі код шығарып алу кезінде ешбір ауданда болмаған, сондықтан карта бос. Алғашқы кодтар: ${first}. Бұл ӘАОЖ (КАТО) кодтарының бағаны болмауы мүмкін; дұрыс бағаны бар сәйкестендіруді жіберіңіз.`;
    },
    unitsWithoutBorder: (column, { rows, units, codes }) =>
      `${quoted(column)} бағанындағы ${grouped(rows)} жолда жіктеуіште бар, бірақ сервисте шекарасы жоқ аумақтардың коды тұр (аумақтар саны: ${grouped(units)}): олардың мәндері сақталды, бірақ картада жоқ. Осы кодтардың алғашқылары: ${listed(codes.map(quoted))}. Шекараларды \`./steppe districts import\` командасы жүктейді.`,
  },
} satisfies Translations<typeof english>;
