import type { AllSentences } from '../../areas.ts';
import { titleOfGroup } from '../../landscape/landscape.ts';
import { percentOf } from '../../landscape/zoning.ts';
import { landscape } from './landscape.ts';
import { quoted } from './wording.ts';

const percent = (share: number) =>
  percentOf(share, { less: (text) => `менее чем ${text}`, more: (text) => `более чем ${text}` });
const named = (group: string): string => quoted(titleOfGroup(landscape, group));

export const zoning = {
  zoning: {
    notYet: () => 'расчёт ещё не завершён; его зонирование можно оценить, когда он завершится успешно',
    ofFailedRun: () => 'расчёт завершился ошибкой; зонирование есть только у успешного расчёта',
    pinned: (groups) =>
      `в расчёте закреплён растр ${groups.map(named).join(', ')}, поэтому зоны не следуют из пригодности, чувствительности, порогов и порядка секторов; баланс есть только у расчёта, который вычисляет их сам`,
    inputGone: (group) =>
      `растр, который этот расчёт использовал для ${named(group)}, с тех пор удалён, поэтому подсчитать земли нельзя`,
    layerFailed: () =>
      'прочитать земли этого расчёта не удалось: один из его растров повреждён или обрывается до последнего пикселя',
    layerNotMade: () => 'подготовить земли этого расчёта не удалось; повторите запрос через минуту',
    layerPending: () => 'земли этого расчёта готовятся; повторите запрос через секунду',
    noSuchLayer: (names) => `у расчёта есть слои ${names.join(', ')}`,
    noSuchUnit: (kato) => `территории ${kato} на этом уровне нет`,
    noPlace: () =>
      'сетку этого расчёта нельзя показать на карте: её систему координат нельзя преобразовать в долготу и широту',
    chosenByOrder: (share) =>
      `На ${percent(share)} распределяемых земель одинаково хорошо подходят сразу несколько секторов (S не ниже 3): сектор там выбирает порядок предпочтения, а не сама земля.`,
    beyondClasses: (value) => `класса ${value} нет: S принимает значения от 1 до 5`,
    otherSets: 'Другие сочетания секторов',
    whatIf: 'Что если: функциональное зонирование',
    contested: 'Конкуренция секторов за землю',
    stability: 'Чувствительность зонирования к параметрам',
    keptByAll: 'Сохраняет код',
    movedByThresholds: 'Меняется при сдвиге порога',
    movedByOrder: 'Меняется при другом порядке секторов',
    movedByBoth: 'Меняется и от того, и от другого',
  },
} satisfies Partial<AllSentences>;
