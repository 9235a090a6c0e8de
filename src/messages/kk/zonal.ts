import type { AllSentences } from '../areas.ts';
import { nextSteps } from './datasets.ts';
import { grouped } from './landscape/wording.ts';

export const zonal = {
  zonal: {
    notARaster: () => 'аумақтар бойынша көрсеткіштер тек растрда болады',
    notReady: (status) =>
      `растрдың күйі — ${status}; көрсеткіштері ол ready болғанда есептеледі${nextSteps[status]}`,
    noNumbers: () => 'растр пиксельдерінде көрсеткіштерді есептеуге болатын сандар жоқ',
    sumOfDensity: () =>
      'қосынды тек санда болады: әр пиксельде заттардың саны, мысалы тұрғындар болса, values_are=count жіберіңіз; тығыздықтың немесе градустың қосындысы ештеңені білдірмейді',
    noDates: () => 'растрда start_date те, end_date те жоқ, сондықтан оның мәндеріне кестеде орын жоқ',
    tooManyColumns: (columns, most) =>
      `кестеде ${grouped(columns)} баған болар еді, ал ${grouped(most)} бағаннан көп болмайды: азырақ көрсеткіш сұраңыз`,
    notFollowed: () => 'бұл топқа ілесетін көрсеткіштер кестесі жоқ',
  },
  zonal_phrase: {
    off: 'бұл топқа ілесетін көрсеткіштер кестесі жоқ',
    upToDate: (rasters) => `кестедегі растрлар: ${grouped(rasters)}`,
    noRasters: 'топта күні көрсетілген дайын растр әлі жоқ',
    counting: (left) => `кестеде әлі жоқ растрлар: ${grouped(left)}`,
    changing: 'кесте қайта жасалуда',
    rastersFailed: (failed) => `есептелмеген растрлар: ${grouped(failed)}; қалғандары кестеде`,
    tableFailed: (reason) => `кестені жасау мүмкін болмады: ${reason}`,
    waiting: 'есептелуде',
    withoutDates: 'растрда күн көрсетілмеген',
    replaced: 'күндері дәл осындай жаңарақ растр кестеде бар',
  },
  zonal_word: {
    title: 'Аумақтар бойынша көрсеткіштер',
    sheet: 'Көрсеткіштер',
    valuesAre: 'Пиксельдерде',
    density: 'тығыздық: пиксель өлшемімен бірге өспейтін шама',
    count: 'сан: әр пиксельдегі заттардың саны',
    minimum: 'Дерегі бар ең аз үлес',
    statistics: 'Көрсеткіштер',
    statisticsText:
      'Орташа мән, стандартты ауытқу және квантильдер алаң бойынша өлшенген; ең аз және ең көп мән аумаққа бөлігі кіретін барлық пиксель бойынша алынған; дерегі бар үлес — аумақ алаңының үлесі.',
    valid: 'Дерегі бар, га',
    reason: 'Көрсеткіш неге жоқ',
    noValues: 'бірде-бір пиксельде мән жоқ',
    belowMinimum: 'аумақтың дерегі бар үлесі ең аз үлестен кем',
    mean: 'Орташа мән',
    min: 'Ең аз мән',
    max: 'Ең көп мән',
    sd: 'Стандартты ауытқу',
    sum: 'Қосынды',
    validShare: 'Дерегі бар үлес',
    quantile: (percent) => `${percent} %-дық квантиль`,
  },
} satisfies Partial<AllSentences>;
