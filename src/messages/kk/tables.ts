import type { AllSentences } from '../areas.ts';
import { grouped, quoted } from './wording.ts';

export const tables = {
  table_out: {
    noTable: () => 'бақылауларды тек vector_with_kato түріндегі деректер жинағынан жүктеп алуға болады',
    noVector: () => 'GeoParquet түрінде тек vector және vector_with_kato деректер жинақтары беріледі',
    tooManyColumns: (columns, most) =>
      `парақта ${grouped(most)} бағаннан көп болмайды, ал бұл кестеде ${grouped(columns)} баған бар: observations.csv немесе shape=long алыңыз`,
    tooWide: (columns, most) =>
      `Parquet файлында ${grouped(most)} бағаннан көп болмайды, ал бұл кестеде ${grouped(columns)} баған бар: observations.csv немесе shape=long алыңыз`,
    tooManyAttributes: (columns, most) =>
      `GeoParquet форматында ${grouped(most)} бағаннан көп болмайды, ал бұл деректер жинағында ${grouped(columns)} баған бар: оның .fgb файлын алыңыз`,
    tooManyAtOnce: () => 'қазір тым көп кесте жазылып жатыр; бірнеше секундтан кейін қайта сұраңыз',
    noRates: () => 'бөлім тек vector_with_kato түріндегі деректер жинағында болады',
    notAnotherTable: () => 'dataset_id басқа vector_with_kato деректер жинағын көрсетпейді',
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
    perHa: (per) => `${grouped(per)} га-ға шаққанда`,
    perUnit: (per, unit) => `${grouped(per)} ${unit} есебімен`,
  },
  table_word: {
    aboutSheet: 'Кесте туралы',
    tableSheet: 'Кесте',
    source: 'Файл',
    dataset: 'Деректер жинағының идентификаторы',
    uploaded: 'Жүктелген (UTC)',
    unit: 'Өлшем бірлігі',
    description: 'Сипаттама',
    mapping: 'Кодтар бағаны',
    columns: 'Бағандар және олардың күндері',
    version: 'Аумақтардың нұсқасы',
    method: 'Қалай алынды',
    methodText:
      'Мәндер файлдан оқылған күйінде: сандар дөңгелектенбеген, санның орнындағы мәтін сақталған. Атаулар — бүгінгі. 32 767 таңбадан ұзын мәтін қысқартылған; CSV файлында ол толық.',
    wideText: 'Файлдың коды бар әр жолына бір жол, файлдағы ретпен, күн тағайындалған бағандармен.',
    longText:
      'Әр мәнге бір жол, код пен күн ретімен. land_since бағанында күн тұрса, бірліктің аумағы сол күні өзгерген: оған дейінгі мәндер басқа аумаққа қатысты.',
    rate: 'Салыстырмалы көрсеткіш',
    rateText: (label) =>
      `Мән ${label}. Мән сан болмаса не бөлімде сол күнге сан болмаса немесе нөл болса, ұяшық бос.`,
    denominator: 'Бөлім',
    areaText: 'Аумақтың гектармен алынған ауданы, WGS 84 эллипсоидында, геодезиялық',
    periodsUsed: 'Бөлімнің кезеңдері',
    name: 'Атауы',
    nothing: 'жоқ',
  },
} satisfies Partial<AllSentences>;
