import { titleOfGroup } from '../graph/english.ts';
import { percentOf, type GridDifference, type english } from './english.ts';
import { landscape } from '../graph/kazakh.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';
import { quoted } from '../base/kazakh-wording.ts';
import type { Translations } from '../base/define.ts';

/** Formats the share of land to which a statement applies. */
function onShare(share: number): string {
  const text = percentOf(share, {
    less: (percent) => `${withEnding(percent, 'ablative')} аз бөлігінде`,
    more: (percent) => `${withEnding(percent, 'ablative')} көп бөлігінде`,
  });
  return text.endsWith('%') ? withEnding(text, 'possessive locative') : text;
}
const named = (group: string): string => `«${titleOfGroup(landscape, group)}»`;

const names = {
  crs: 'координаттар жүйесі',
  origin: 'бастапқы нүкте',
  pixel_size: 'пиксель өлшемі',
  size: 'пиксельмен өлшемі',
} as const;
const crsName = (crs: string) => (crs === '' ? 'атаусыз' : quoted(crs));

function differenceOf(difference: GridDifference): string {
  const { of } = difference;
  if (of === 'crs') return `${names.crs}: ${crsName(difference.a)} және ${crsName(difference.b)}`;
  const mark = of === 'origin' ? '; ' : ' × ';
  return `${names[of]}: ${difference.a.join(mark)} және ${difference.b.join(mark)}`;
}

export const kazakh = {
  zoning: {
    notYet: () => 'есептеу әлі аяқталған жоқ; аймақтауды ол сәтті аяқталғанда бағалауға болады',
    ofFailedRun: () => 'есептеу қатемен аяқталған; аймақтау тек сәтті есептеуде бар',
    pinned: (groups) =>
      `есептеуде ${groups.map(named).join(', ')} растры бекітілген, сондықтан аймақтар жарамдылықтан, сезімталдықтан, шектерден және секторлардың ретінен шықпайды; баланс тек оларды өзі есептейтін есептеуде бар`,
    inputGone: (group) =>
      `бұл есептеу ${named(group)} үшін пайдаланған растр содан бері жойылған, сондықтан жерді санау мүмкін емес`,
    layerFailed: () =>
      'бұл есептеудің жерін оқу мүмкін болмады: растрларының бірі бүлінген немесе соңғы пиксельге дейін үзілген',
    layerNotMade: () => 'бұл есептеудің жерін дайындау мүмкін болмады; сұрауды бір минуттан кейін қайталаңыз',
    layerPending: () => 'бұл есептеудің жері дайындалуда; сұрауды бір секундтан кейін қайталаңыз',
    noSuchLayer: (names) => `есептеудің қабаттары: ${names.join(', ')}`,
    noSuchUnit: (kato) => `бұл деңгейде ${kato} коды бар аумақ жоқ`,
    noPlace: () =>
      'бұл есептеудің торын картада көрсету мүмкін емес: оның координаттар жүйесін бойлық пен ендікке түрлендіруге болмайды',
    chosenByOrder: (share) =>
      `Бөлуге болатын жердің ${onShare(share)} бірнеше сектор бірдей жақсы жарайды (S кемінде 3): онда секторды жердің өзі емес, секторлардың реті таңдайды.`,
    beyondClasses: (value) => `${value} класы жоқ: S мәні 1-ден 5-ке дейін`,
    otherSets: 'Секторлардың басқа үйлесімдері',
    whatIf: 'Егер: функционалдық аймақтау',
    contested: 'Секторлардың жерге бәсекесі',
    stability: 'Аймақтаудың параметрлерге сезімталдығы',
    keptByAll: 'Коды сақталады',
    movedByThresholds: 'Шек жылжығанда өзгереді',
    movedByOrder: 'Секторлардың реті өзгергенде өзгереді',
    movedByBoth: 'Екеуінен де өзгереді',
  },
  limits: {
    otherGraph: () =>
      'бұл есептеуді бағдарламаның ертерек шығарылымы енді жоқ формулалармен орындаған; жауапты жаңа есептеу береді',
    pinnedSector: (group) =>
      `есептеуде ${named(group)} растры бекітілген, сондықтан секторды қай фактор шектейтіні белгісіз; шектеулер тек секторды өзі бағалайтын есептеуде бар`,
    rasterUnreadable: (group) => `бұл есептеу ${named(group)} үшін пайдаланған растр оқылмайды`,
    tooManyConditions: () =>
      'тексеруді күтіп тұрған шарттар тым көп; сұрауды бірнеше секундтан кейін қайталаңыз',
    inputGone: () => 'бұл есептеу пайдаланған растр содан бері жойылған',
    notMoved: () => 'сезімталдықты есептеу мүмкін болмады; сұрауды бір минуттан кейін қайталаңыз',
  },
  limitation: {
    topography: 'Жер бедері',
    moisture: 'Ылғалдану',
    snow: 'Қар жамылғысы',
    warmth: 'Жылумен қамтамасыз етілу',
    texture: 'Топырақтың гранулометриялық құрамы',
    carbon: 'Топырақтың органикалық көміртегі',
    salinity: 'Топырақтың тұздануы',
    water: 'Суға дейінгі қашықтық',
    cover: 'Жер жамылғысы',
    growth: 'Өсімдіктің жиілігі',
    road: 'Жолға дейінгі қашықтық',
    attraction: 'Тартымдылық',
  },
  condition: {
    noName: (position) => `${position}-таңбадан бастап слоттың немесе түйіннің атауы болуы тиіс`,
    unknownName: (position, name) =>
      `${position}-таңбадан басталатын ${quoted(name)} атауы бар слот та, түйін де жоқ: бәрінің тізімін GET /landscape/graph береді`,
    noComparison: (position) => `${position}-таңбадан бастап <, <=, =, !=, >= немесе > болуы тиіс`,
    noNumber: (position) =>
      `${position}-таңбадан бастап 5 немесе -0.25 сияқты сан, одан кейін ; немесе соңы болуы тиіс`,
    tooMany: (position, most) =>
      `шарттар саны ${withEnding(most, 'ablative')} аспауы тиіс; келесісі ${position}-таңбадан басталады`,
  },
  limit_map: {
    title: (sector) => `Не шектейді. ${sector}`,
    several: 'Бірнеше фактор бірдей',
    none: 'Ештеңе: ең жақсы класс',
    notAllocable: 'Бөлінбейтін жерлер',
  },
  comparison: {
    notSucceeded: (status) =>
      status === 'failed'
        ? 'есептеулердің бірі қатемен аяқталған; тек сәтті есептеулерді салыстыруға болады'
        : 'есептеулердің бірі әлі аяқталған жоқ; ол сәтті аяқталғанда салыстыруға болады',
    notClasses: (node) =>
      `${node} түйіні кластар емес, өлшенген шамалар береді; тек кластарды салыстыруға болады`,
    otherGrid: (differences) =>
      `екі есептеудің растрлары әртүрлі торда жатыр, сондықтан пиксельдерін салыстыруға болмайды. ${differences.map(differenceOf).join('. ')}`,
    noGrid: () => 'екі есептеу растрларының бірі солтүстікке бағытталмаған немесе торы көрсетілмеген',
  },
  comparison_phrase: {
    title: (title) => `${title}: не өзгерді`,
    unchanged: 'өзгеріссіз',
    lost: 'класс енді жоқ',
    others: 'басқа жерлер',
    chosen: (from, to) => `${from} → ${to}`,
    none: 'класс жоқ',
  },
  polygons: {
    tooMany: (zones, most, fitting) =>
      `растрда ${zones} тұтас контур бар, бұл ${withEnding(most, 'ablative')} көп: ` +
      (fitting === null
        ? 'тым көп контурдың қосылатын көршісі жоқ, сондықтан ең аз алаңның ешбір мәні оларды азайтпайды'
        : `min_area_ha=${fitting} көрсету жеткілікті`),
    farTooMany: (most) =>
      `растрда тұтас контурлар саны ${withEnding(most, 'ablative')} көп: бұл аймақтар картасы емес, шу`,
    tooRagged: (zones) =>
      `растрда ${zones} тұтас контур бар, олардың шекаралары тым ирек, сондықтан ұсақтарын көршілеріне қосу мүмкін емес: бұл аймақтар картасы емес, шу`,
    tooManyPositions: (positions, most) =>
      `контурлардың шекараларында ${positions} нүкте бар, бұл ${withEnding(most, 'ablative')} көп: min_area_ha үлкенірек болса, олар азаяды`,
    tooManyPixels: (pixels, most) =>
      `растрда ${pixels} пиксель бар, полигон жасауға болатын ең көп саны ${most}`,
    beyondEarth: () => 'контурлардың бірінің бұрышы растрдың координаттар жүйесінде Жерде жатқан жоқ',
    acrossAntimeridian: () =>
      'контурлардың бірі 180° меридианын кесіп өтеді, ол жерде бойлық пен ендіктегі полигонды бөлуге тура келер еді',
    notEnded: () =>
      'есептеу аяқталған жоқ; полигондарды оның нәтижелері пайда болғаннан кейін жасауға болады',
    noOutput: (node) => `есептеуде ${node} түйінінің нәтижесі жоқ`,
    gone: () => 'полигондар жасалатын растр жойылған',
    failed: () => 'полигондарды жасау мүмкін болмады; сұрауды бір минуттан кейін қайталаңыз',
    tooManyWaiting: () =>
      'жасалуын күтіп тұрған полигондар тым көп; сұрауды бірнеше секундтан кейін қайталаңыз',
  },
  polygon_name: {
    dataset: (title) => `Полигон түріндегі аймақтар: ${title}`,
  },
} satisfies Translations<typeof english>;
