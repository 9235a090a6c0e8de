import { titleOfGroup } from '../graph/english.ts';
import { percentOf, type GridDifference, type english } from './english.ts';
import { landscape } from '../graph/russian.ts';
import { quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';

const percent = (share: number) =>
  percentOf(share, { less: (text) => `менее чем ${text}`, more: (text) => `более чем ${text}` });
const named = (group: string): string => quoted(titleOfGroup(landscape, group));

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

export const russian = {
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
  polygons: {
    tooMany: (zones, most, fitting) =>
      `в растре ${zones} непрерывных контуров, больше ${most}: ` +
      (fitting === null
        ? 'никакая минимальная площадь не сделает их меньше, так как у слишком многих нет соседа, к которому их можно присоединить'
        : `достаточно указать min_area_ha=${fitting}`),
    farTooMany: (most) => `в растре больше ${most} непрерывных контуров: это шум, а не карта зон`,
    tooRagged: (zones) =>
      `в растре ${zones} непрерывных контуров с границами, слишком изрезанными, чтобы присоединить малые к соседям: это шум, а не карта зон`,
    tooManyPositions: (positions, most) =>
      `в границах контуров ${positions} точек, больше ${most}: с большей min_area_ha их станет меньше`,
    tooManyPixels: (pixels, most) =>
      `в растре ${pixels} пикселей; полигоны можно построить не более чем из ${most}`,
    beyondEarth: () => 'угол одного из контуров в системе координат растра не лежит на Земле',
    acrossAntimeridian: () =>
      'один из контуров пересекает меридиан 180°, где полигон в долготе и широте пришлось бы разрезать',
    notEnded: () => 'расчёт не завершён; полигоны можно построить из его результатов, когда они появятся',
    noOutput: (node) => `у расчёта нет результата узла ${node}`,
    gone: () => 'растр, из которого строятся полигоны, удалён',
    failed: () => 'полигоны построить не удалось; повторите запрос через минуту',
    tooManyWaiting: () => 'слишком много полигонов ждут построения; повторите запрос через несколько секунд',
  },
  polygon_name: {
    dataset: (title) => `Зоны в виде полигонов: ${title}`,
  },
} satisfies Translations<typeof english>;
