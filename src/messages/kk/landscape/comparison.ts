import type { AllSentences } from '../../areas.ts';
import type { GridDifference } from '../../landscape/comparison.ts';
import { quoted } from './wording.ts';

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

export const comparison = {
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
} satisfies Pick<AllSentences, 'comparison' | 'comparison_phrase'>;
