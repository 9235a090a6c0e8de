import { readable } from '../../lib/readable.ts';
import type { Translations } from '../base/define.ts';
import { counted, grouped, quoted } from '../base/russian-wording.ts';
import type { english } from './english.ts';

const shown = (names: readonly string[]) =>
  names
    .slice(0, 10)
    .map((name) => quoted(readable(name, 60)))
    .join(', ');
const rasters = (count: number) => counted(count, 'растра', 'растров', 'растров');

export const russian = {
  made_input: {
    noAttribute: (name, names) =>
      `в векторных данных нет атрибута ${quoted(readable(name, 60))}; ${names.length === 0 ? 'атрибутов нет' : `есть ${shown(names)}`}`,
    unmappedValues: (attribute, values, count) =>
      `в таблице нет строки для значений атрибута ${quoted(readable(attribute, 60))} (всего ${grouped(count)}): ${shown(values)}; ` +
      'добавьте их или задайте `unmapped` = `no_data`',
    noPolygons: () => 'в векторных данных нет полигонов, поэтому их атрибут не покрывает ни одного пикселя',
    noFeatures: () => 'в векторных данных нет объекта, от которого можно измерить расстояние',
    tooManyPositions: (most) =>
      `у объектов больше ${grouped(most)} вершин; упростите их или разделите векторные данные`,
    gridInDegrees: () =>
      'сетка задана в градусах, поэтому расстояния в ней не в метрах; используйте `geodesic`',
    noGrid: (isRotated) =>
      isRotated
        ? 'растр, который задаёт сетку, повёрнут и не может её задать'
        : 'у растра, который задаёт сетку, нет системы координат с известными длинами, и он не может её задать',
    notOnEarth: (place) =>
      `у растра ${place} в рецепте нет положения, которое можно преобразовать в сетку результата`,
    unreadableGrid: () => 'не удаётся прочитать растр, который задаёт сетку',
    unreadable: (place) => `растр ${place} в рецепте не читается`,
    tooManyPixels: (pixels, most) =>
      `в результате было бы ${grouped(pixels)} пикселей; возможно не больше ${grouped(most)}`,
    empty: (hasFeatures) =>
      hasFeatures
        ? 'ни один пиксель сетки не получил бы значения: объекты не доходят до сетки или не имеют значений'
        : 'ни один пиксель сетки не получил бы значения: у растров нет с ней общих пикселей или значений в них',
    noReference: () =>
      'ещё нет готового растра высот, который задаёт сетку; загрузите его или выберите другую сетку',
    noClasses: () => 'в слоте числа, а не классы',
    classesOnly: (rule) => `в слоте классы, и ${quoted(rule)} дало бы значения, которые не являются классами`,
    noDays: (name) => `у ${quoted(name)} нет периода, поэтому число его дней неизвестно`,
    tooManyWaiting: () => 'слишком много растров ожидают создания; повторите запрос через несколько секунд',
    failed: () => 'растр не удалось создать; повторите запрос через минуту',
    gone: () => 'исходный набор данных удалён до того, как растр был создан',
  },
  made_input_field: {
    noSuchDataset: (type) => `нужен идентификатор готового набора данных типа ${type}`,
    notAClass: (numbers) => `нужен класс слота: ${numbers.join(', ')}`,
    twice: (value) => `значение ${quoted(value)} указано дважды`,
    needsTable: 'нужна для слота с классами',
    notForClasses: 'невозможно для слота с классами',
    daysOfExtreme: 'для наименьшего и наибольшего значения возможно только `equal`',
  },
  made_input_phrase: {
    rasterize: (slot, source) => `${slot}, по ${quoted(source)}`,
    distance: (slot, source) => `${slot}, по ${quoted(source)}`,
    mosaic: (slot, count) => `${slot}, мозаика из ${rasters(count)}`,
    arithmetic: (slot, count) => `${slot}, вычислено из ${rasters(count)}`,
  },
} satisfies Translations<typeof english>;
