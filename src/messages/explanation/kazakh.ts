import type { ExplanationWords, english } from './english.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';
import type { Translations } from '../base/define.ts';

const conjunction = new Intl.ListFormat('kk', { type: 'conjunction' });
const disjunction = new Intl.ListFormat('kk', { type: 'disjunction' });

const because = {
  outside: 'орын растрдан тыс жатыр',
  no_data: 'растрда бұл жерде дерек жоқ',
  not_valid: 'растрда бұл жерде жарамсыз сан немесе белгісіз класс тұр',
};

export const explanation: ExplanationWords = {
  names: {
    dem: 'теңіз деңгейінен биіктік',
    'land-cover': 'жер жамылғысы',
    'protected-areas': 'ерекше қорғалатын табиғи аумақтар',
    precipitation: 'жылдық жауын-шашын мөлшері',
    pet: 'эталондық эвапотранспирация',
    'temperature-sum': 'белсенді температуралар қосындысы',
    'snow-depth': 'қар жамылғысының биіктігі',
    'soil-texture': 'топырақтың гранулометриялық құрамы',
    'soil-organic-carbon': 'топырақтың органикалық көміртегі',
    'soil-salinity': 'топырақтың тұздануы',
    ndvi: 'өсімдік индексі',
    'distance-water': 'суға дейінгі қашықтық',
    'distance-road': 'жолға дейінгі қашықтық',
    '01': 'еңіс',
    '02': 'жер бедерінің тілімденуі',
    '03': 'аридтілік индексі',
    '04': 'өсімдіктің проективтік жабыны',
    '05': 'бөлуге болатын жерлер',
    '11': 'топырақ сапасы',
    '12': 'климат сапасы',
    '13': 'өсімдік жамылғысының сапасы',
    '14': 'топырақтың сумен шайылуы',
    '21': 'суаруға жарамдылық',
    '22': 'қар тоқтатуға жарамдылық',
    '23': 'егіншілікке жарамдылық',
    '24': 'жайылымға жарамдылық',
    '25': 'туризмге жарамдылық',
    '26': 'экологиялық сезімталдық E',
    '31': 'ең жоғары жарамдылық S',
    '32': 'жетекші сектор',
    '33': 'рұқсат етілген пайдалану аймағы',
    '34': 'функционалдық аймақтау',
    'fire-risk': 'жер жамылғысының өрт қаупі',
    'erosion-protection': 'жер жамылғысының эрозиядан қорғауы',
    'drought-resistance': 'жер жамылғысының құрғақшылыққа төзімділігі',
    desertification: 'шөлейттену индексі',
    erosivity: 'жауын-шашынның эрозиялық күші',
    erodibility: 'топырақтың шайылғыштығы',
    'slope-factor': 'жер бедерінің факторы',
    'cover-factor': 'өсімдік факторы',
    'regulated-use': 'қорғалатын аумақтың реттелетін пайдаланылуы',
    'strict-protection': 'қатаң қорғау',
    wetland: 'сулы-батпақты жер',
  },
  list: (items) => conjunction.format(items),
  either: (items) => disjunction.format(items),
  interval(from, below) {
    if (from === undefined)
      return below === undefined ? 'кез келген мән' : `${withEnding(below, 'ablative')} аз`;
    return below === undefined
      ? `${from} немесе одан көп`
      : `${from} не одан көп, бірақ ${withEnding(below, 'ablative')} аз`;
  },
  outside: 'Бұл жер есептеу торынан тыс жатыр.',
  hole: (names) => `Бұл жердің аймағы жоқ: мына кіріс деректердің бұл жерде мәні жоқ — ${names}.`,
  holeWithoutReason: 'Бұл жердің аймағы жоқ: тізбектегі бір картаның бұл жерде мәні жоқ.',
  setAside: (title, land) =>
    `Бұл жер — «${title}»: жер жамылғысы — ${land}, мұндай жерлер аймақтауға қатыспайды.`,
  place: (title, parts) => `Бұл жер — «${title}»: ${parts}.`,
  best: (sector, suitability, limits) =>
    `ең қолайлысы — «${sector}» секторы, S ${suitability}${limits === undefined ? '' : `, шектейтіні: ${limits}`}`,
  tie: (sectors, suitability, leader) =>
    `${sectors} секторлары бірдей қолайлы, S ${suitability}, ал секторлар реті «${leader}» секторын артық көреді`,
  ownSensitivity: (sensitivity, reason) =>
    `сезімталдық E ${sensitivity}${reason === undefined ? '' : `, себебі: ${reason}`}`,
  nothingInDanger: (sensitivity) => `сезімталдық E ${sensitivity}: мұнда ештеңеге қауіп жоқ`,
  neverDeveloped: 'мұндай сезімтал жер әрқашан сақталады',
  missed: (suitability, threshold) => `S ${suitability} ${threshold} шегіне жетпейді`,
  pinnedMap: (title) => `«${title}» үшін есептеуге растр берілген: тізбек осында аяқталады.`,
  neighbourhood: 'Айналадағы биіктіктер бойынша есептелген; мұнда берілген мән ретінде алынады.',
  missing: (title, why) => `${title}: ${because[why]}.`,
  noValue: (names) =>
    names === undefined
      ? 'Мән жоқ: бір кластың бұл жерде балы жоқ.'
      : `Мән жоқ, себебі мыналардың мәні жоқ: ${names}.`,
  formula: (highest) =>
    highest === undefined
      ? 'Формула бойынша есептелген.'
      : `Формула бойынша есептелген; ең жоғары балл — ${highest}.`,
  allocable: (land, title) => `Жер жамылғысы — «${land}», сондықтан «${title}».`,
  notAllocable: (land) => `Жер бөлуден шығарылған: ${land}.`,
  leastRating: (names, rating) => `Ең төмен балл шешеді, ${rating}: ${names}.`,
  greatestRating: (names, rating) => `Ең жоғары балл шешеді, ${rating}: ${names}.`,
  floor: (names, value) => `E ${value}, себебі: ${names}.`,
  reached: (threshold, value, suitability) => `${threshold}: ${value}; S ${suitability} оған жетеді.`,
  notReached: (threshold, value, suitability) => `${threshold}: ${value}; S ${suitability} оған жетпейді.`,
  noThreshold: (sensitivity) => `E ${sensitivity} болса, S қандай болса да, аймақ — V3.`,
  mostSuited: (sectors, suitability) => `Ең жоғары жарамдылық, ${suitability}: ${sectors}.`,
  ordered: (sectors, leader) =>
    `Бірдей қолайлы: ${sectors}; секторлар реті шешеді, онда «${leader}» бірінші тұр.`,
  combination: (zone, sector, sensitivity) => `Құрамы: «${zone}», «${sector}», E ${sensitivity}.`,
  sector: (sector, suitability, limits) => {
    if (suitability === undefined) return `${sector}: бұл жерде жарамдылық жоқ.`;
    return `${sector}: ${suitability}${limits === undefined ? '' : `, шектейтіні: ${limits}`}.`;
  },
  numberChange: ({ name, from, bound, isBelow, outcome }) =>
    `${capital(name)}: ${from} орнына ${isBelow ? `${withEnding(bound, 'ablative')} аз` : `${bound} немесе одан көп`} болса, бұл жер ${outcome}.`,
  classChange: (name, from, to, outcome) =>
    `${capital(name)}: ${from} орнына ${to} болса, бұл жер ${outcome}.`,
  thresholdChange: (threshold, from, to, outcome) =>
    `${threshold}: ${from} орнына ${to} болса, бұл жер ${outcome}.`,
  orderChange: (first, second, outcome) =>
    `Секторлар ретінде «${first}» «${second}» алдында тұрса, бұл жер ${outcome}.`,
  inZone: (zone) => `${zone} аймағына өтер еді`,
  noZone: 'аймақсыз қалар еді',
  neighboursDiffer:
    'Еңіс пен тілімдену айналадағы биіктіктер бойынша есептелген: көршілес жер, кіріс деректері ұқсас көрінсе де, өзгеше болуы мүмкін.',
  approximate: (titles) =>
    `${titles}: координаттар жүйесі тордікінен басқа, сондықтан көрсетілген мән көрші пиксельдікі болуы мүмкін.`,
  endsAtPins: (titles) =>
    `Есептеуге мына растрлар берілген: ${titles}. Олардың неден алынғаны мұнда түсіндірілмейді.`,
  notConfirmed: (titles) =>
    `${titles}: көрсетілген кіріс деректерден есептеудің мәні дәл шықпайды, сондықтан олар арқылы болатын өзгерістер көрсетілмеген.`,
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const kazakh = {
  explanation: {
    notYet: () => 'есептеу әлі аяқталған жоқ; оның орындарын ол сәтті аяқталғанда түсіндіруге болады',
    ofFailedRun: () => 'есептеу қатемен аяқталған; тек сәтті есептеудің орындарын түсіндіруге болады',
    ofOtherGraph: () =>
      'бұл есептеу графтың басқа нұсқасымен орындалған, сервистің бұл шығарылымы оны түсіндіре алмайды; келесі есептеуді түсіндіруге болады',
  },
} satisfies Translations<typeof english>;
