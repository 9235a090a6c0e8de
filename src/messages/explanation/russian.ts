import type { ExplanationWords, english } from './english.ts';
import type { Translations } from '../base/define.ts';

const conjunction = new Intl.ListFormat('ru', { type: 'conjunction' });
const disjunction = new Intl.ListFormat('ru', { type: 'disjunction' });

const because = {
  outside: 'место лежит за пределами растра',
  no_data: 'в растре здесь нет данных',
  not_valid: 'в растре здесь недопустимое число или неизвестный класс',
};

export const explanation: ExplanationWords = {
  names: {
    dem: 'высота над уровнем моря',
    'land-cover': 'наземный покров',
    'protected-areas': 'охраняемые природные территории',
    precipitation: 'годовая сумма осадков',
    pet: 'эталонная эвапотранспирация',
    'temperature-sum': 'сумма активных температур',
    'snow-depth': 'высота снежного покрова',
    'soil-texture': 'гранулометрический состав почвы',
    'soil-organic-carbon': 'органический углерод почвы',
    'soil-salinity': 'засоление почвы',
    ndvi: 'вегетационный индекс',
    'distance-water': 'расстояние до воды',
    'distance-road': 'расстояние до дороги',
    '01': 'уклон',
    '02': 'расчленённость рельефа',
    '03': 'индекс аридности',
    '04': 'проективное покрытие растительности',
    '05': 'распределяемые земли',
    '11': 'качество почвы',
    '12': 'качество климата',
    '13': 'качество растительности',
    '14': 'потери почвы от водной эрозии',
    '21': 'пригодность для орошения',
    '22': 'пригодность для снегозадержания',
    '23': 'пригодность для земледелия',
    '24': 'пригодность для пастбищ',
    '25': 'пригодность для туризма',
    '26': 'экологическая чувствительность E',
    '31': 'наибольшая пригодность S',
    '32': 'ведущий сектор',
    '33': 'зона разрешённого использования',
    '34': 'функциональное зонирование',
    'fire-risk': 'пожароопасность наземного покрова',
    'erosion-protection': 'противоэрозионная защита наземного покрова',
    'drought-resistance': 'засухоустойчивость наземного покрова',
    desertification: 'индекс опустынивания',
    erosivity: 'эрозионный потенциал осадков',
    erodibility: 'смываемость почвы',
    'slope-factor': 'фактор рельефа',
    'cover-factor': 'фактор растительности',
    'regulated-use': 'регулируемое использование охраняемой территории',
    'strict-protection': 'строгая охрана',
    wetland: 'водно-болотное угодье',
  },
  list: (items) => conjunction.format(items),
  either: (items) => disjunction.format(items),
  interval(from, below) {
    if (from === undefined) return below === undefined ? 'любое значение' : `меньше ${below}`;
    return below === undefined ? `${from} и больше` : `от ${from}, но меньше ${below}`;
  },
  outside: 'Это место лежит за пределами сетки расчёта.',
  hole: (names) => `У этого места нет зоны: здесь нет значения у входных данных — ${names}.`,
  holeWithoutReason: 'У этого места нет зоны: у одной из карт цепочки здесь нет значения.',
  setAside: (title, land) =>
    `Это место — «${title}»: наземный покров здесь — ${land}, такие земли в зонировании не участвуют.`,
  place: (title, parts) => `Это место — «${title}»: ${parts}.`,
  best: (sector, suitability, limits) =>
    `лучше всего подходит сектор «${sector}», S ${suitability}${limits === undefined ? '' : `, ограничивает: ${limits}`}`,
  tie: (sectors, suitability, leader) =>
    `одинаково подходят секторы ${sectors}, S ${suitability}, и порядок секторов предпочитает «${leader}»`,
  ownSensitivity: (sensitivity, reason) =>
    `чувствительность E ${sensitivity}${reason === undefined ? '' : `, причина: ${reason}`}`,
  nothingInDanger: (sensitivity) => `чувствительность E ${sensitivity}: здесь ничто не под угрозой`,
  neverDeveloped: 'столь чувствительная земля всегда сохраняется',
  missed: (suitability, threshold) => `S ${suitability} не достигает порога ${threshold}`,
  pinnedMap: (title) => `Для «${title}» расчёту был задан растр: на нём цепочка кончается.`,
  neighbourhood: 'Вычислено по высотам вокруг места; здесь берётся как данное.',
  missing: (title, why) => `${title}: ${because[why]}.`,
  noValue: (names) =>
    names === undefined
      ? 'Значения нет: у одного из классов здесь нет балла.'
      : `Значения нет, потому что его нет у следующего: ${names}.`,
  formula: (highest) =>
    highest === undefined ? 'Вычислено по формуле.' : `Вычислено по формуле; наибольший балл — ${highest}.`,
  allocable: (land, title) => `Наземный покров — «${land}», поэтому «${title}».`,
  notAllocable: (land) => `Земля исключена из распределения: ${land}.`,
  leastRating: (names, rating) => `Решает наименьший балл, ${rating}: ${names}.`,
  greatestRating: (names, rating) => `Решает наибольший балл, ${rating}: ${names}.`,
  floor: (names, value) => `E ${value}, причина: ${names}.`,
  reached: (threshold, value, suitability) => `${threshold}: ${value}; S ${suitability} его достигает.`,
  notReached: (threshold, value, suitability) => `${threshold}: ${value}; S ${suitability} его не достигает.`,
  noThreshold: (sensitivity) => `При E, равном ${sensitivity}, зона — V3 при любом S.`,
  mostSuited: (sectors, suitability) => `Наибольшая пригодность, ${suitability}: ${sectors}.`,
  ordered: (sectors, leader) =>
    `Одинаково подходят: ${sectors}; решает порядок секторов, в котором первым стоит «${leader}».`,
  combination: (zone, sector, sensitivity) => `Складывается из: «${zone}», «${sector}», E ${sensitivity}.`,
  sector: (sector, suitability, limits) => {
    if (suitability === undefined) return `${sector}: пригодности здесь нет.`;
    return `${sector}: ${suitability}${limits === undefined ? '' : `, ограничивает: ${limits}`}.`;
  },
  numberChange: ({ name, from, bound, isBelow, outcome }) =>
    `${capital(name)}: ${isBelow ? `меньше ${bound}` : `${bound} или больше`} вместо ${from} — тогда место ${outcome}.`,
  classChange: (name, from, to, outcome) =>
    `${capital(name)}: ${to} вместо ${from} — тогда место ${outcome}.`,
  thresholdChange: (threshold, from, to, outcome) =>
    `${threshold}: ${to} вместо ${from} — тогда место ${outcome}.`,
  orderChange: (first, second, outcome) =>
    `Если бы в порядке секторов «${first}» шло раньше, чем «${second}», место ${outcome}.`,
  inZone: (zone) => `отошло бы к зоне ${zone}`,
  noZone: 'осталось бы без зоны',
  neighboursDiffer:
    'Уклон и расчленённость вычислены по высотам вокруг места: соседнее место может отличаться, даже если его входные данные выглядят так же.',
  approximate: (titles) =>
    `${titles}: другая система координат, чем у сетки, поэтому показанное значение может относиться к соседнему пикселю.`,
  endsAtPins: (titles) =>
    `Расчёту были заданы растры: ${titles}. Из чего они получены, здесь не объясняется.`,
  notConfirmed: (titles) =>
    `${titles}: из показанных входных данных не получается в точности значение расчёта, поэтому изменения через них не показаны.`,
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const russian = {
  explanation: {
    notYet: () => 'расчёт ещё не завершён; его места можно объяснить, когда он завершится успешно',
    ofFailedRun: () => 'расчёт завершился ошибкой; объяснить можно только места успешного расчёта',
    ofOtherGraph: () =>
      'этот расчёт выполнен по другой версии графа, и этот выпуск сервиса не может его объяснить; следующий расчёт можно будет объяснить',
  },
} satisfies Translations<typeof english>;
