import type { AllSentences } from '../../areas.ts';
import { titleOfGroup } from '../../landscape/landscape.ts';
import { percentOf } from '../../landscape/zoning.ts';
import { landscape } from './landscape.ts';
import { withEnding } from '../../../../common/kazakh/endings.ts';

/** Formats the share of land to which a statement applies. */
function onShare(share: number): string {
  const text = percentOf(share, {
    less: (percent) => `${withEnding(percent, 'ablative')} аз бөлігінде`,
    more: (percent) => `${withEnding(percent, 'ablative')} көп бөлігінде`,
  });
  return text.endsWith('%') ? withEnding(text, 'possessive locative') : text;
}
const named = (group: string): string => `«${titleOfGroup(landscape, group)}»`;

export const zoning = {
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
} satisfies Partial<AllSentences>;
