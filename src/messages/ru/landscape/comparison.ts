import type { AllSentences } from '../../areas.ts';
import type { GridDifference } from '../../landscape/comparison.ts';
import { quoted } from './wording.ts';

const names = {
  crs: 'система координат',
  origin: 'начало',
  pixel_size: 'размер пикселя',
  size: 'размер в пикселях',
} as const;
const crsName = (crs: string) => (crs === '' ? 'без названия' : quoted(crs));

function differenceOf(difference: GridDifference): string {
  const { of } = difference;
  if (of === 'crs') return `${names.crs}: ${crsName(difference.a)} и ${crsName(difference.b)}`;
  const mark = of === 'origin' ? '; ' : ' × ';
  return `${names[of]}: ${difference.a.join(mark)} и ${difference.b.join(mark)}`;
}

export const comparison = {
  comparison: {
    notSucceeded: (status) =>
      status === 'failed'
        ? 'один из расчётов завершился ошибкой; сравнить можно только успешные расчёты'
        : 'один из расчётов ещё не завершён; его можно будет сравнить, когда он завершится успешно',
    notClasses: (node) => `узел ${node} даёт измеренные величины, а не классы; сравнить можно только классы`,
    otherGrid: (differences) =>
      `растры двух расчётов лежат на разных сетках, поэтому их пиксели нельзя сравнить. ${differences.map(differenceOf).join('. ')}`,
    noGrid: () => 'один из растров двух расчётов не ориентирован на север или не содержит сведений о сетке',
  },
  comparison_phrase: {
    title: (title) => `${title}: что изменилось`,
    unchanged: 'без изменений',
    lost: 'класса больше нет',
    others: 'остальные места',
    chosen: (from, to) => `${from} → ${to}`,
    none: 'нет класса',
  },
} satisfies Pick<AllSentences, 'comparison' | 'comparison_phrase'>;
