import type { AllSentences } from '../../areas.ts';
import { titleOfGroup } from '../../landscape/landscape.ts';
import { landscape } from './landscape.ts';
import { quoted } from './wording.ts';
import { withEnding } from '../../../../common/kazakh/endings.ts';

const named = (group: string): string => quoted(titleOfGroup(landscape, group));

export const limits = {
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
} satisfies Partial<AllSentences>;
