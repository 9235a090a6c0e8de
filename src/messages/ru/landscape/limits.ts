import type { AllSentences } from '../../areas.ts';
import { titleOfGroup } from '../../landscape/landscape.ts';
import { landscape } from './landscape.ts';
import { quoted } from './wording.ts';

const named = (group: string): string => quoted(titleOfGroup(landscape, group));

export const limits = {
  limits: {
    otherGraph: () =>
      'этот расчёт выполнен более ранним выпуском программы по формулам, которых больше нет; ответ даст новый расчёт',
    pinnedSector: (group) =>
      `в расчёте закреплён растр ${named(group)}, поэтому неизвестно, какой фактор ограничивает сектор; ограничения есть только у расчёта, который оценивает сектор сам`,
    rasterUnreadable: (group) => `растр, который этот расчёт использовал для ${named(group)}, не читается`,
    tooManyConditions: () => 'слишком много условий ждут проверки; повторите запрос через несколько секунд',
    inputGone: () => 'растр, который этот расчёт использовал, с тех пор удалён',
    notMoved: () => 'вычислить чувствительность не удалось; повторите запрос через минуту',
  },
  limitation: {
    topography: 'Рельеф',
    moisture: 'Увлажнение',
    snow: 'Снежный покров',
    warmth: 'Теплообеспеченность',
    texture: 'Гранулометрический состав почвы',
    carbon: 'Органический углерод почвы',
    salinity: 'Засоление почвы',
    water: 'Расстояние до воды',
    cover: 'Наземный покров',
    growth: 'Густота растительности',
    road: 'Расстояние до дороги',
    attraction: 'Привлекательность',
  },
  condition: {
    noName: (position) => `должно содержать имя слота или узла, начиная с символа ${position}`,
    unknownName: (position, name) =>
      `содержит имя ${quoted(name)}, начиная с символа ${position}: такого слота или узла нет, все они перечислены в GET /landscape/graph`,
    noComparison: (position) => `должно содержать <, <=, =, !=, >= или >, начиная с символа ${position}`,
    noNumber: (position) =>
      `должно содержать число, например 5 или -0.25, начиная с символа ${position}, а за ним ; или конец`,
    tooMany: (position, most) =>
      `содержит больше ${most} условий; следующее начинается с символа ${position}`,
  },
  limit_map: {
    title: (sector) => `Что ограничивает. ${sector}`,
    several: 'Несколько факторов в равной мере',
    none: 'Ничего: лучший класс',
    notAllocable: 'Нераспределяемые земли',
  },
} satisfies Partial<AllSentences>;
