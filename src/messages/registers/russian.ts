import { counted, grouped, listed, quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const inNth = (side: 'a' | 'b') => ({ a: 'В первом реестре', b: 'Во втором реестре' })[side];
const ofNth = (side: 'a' | 'b') => ({ a: 'первого', b: 'второго' })[side];

export const russian = {
  registers: {
    noValues: (name) =>
      `${quoted(name)} — вектор, у которого нет значений по территориям: выберите таблицу по КАТО или растр с классами`,
    onlyTables: (parameter, name) => `${parameter} — для таблиц, а ${quoted(name)} — растр`,
    onlyRasters: (parameter, name) => `${parameter} — для растров, а ${quoted(name)} — таблица`,
    noSuchDate: (name, date, dates) =>
      `в таблице ${quoted(name)} нет значений за ${date}; в ней есть ${listed(dates)}`,
    noSuchClass: (name, value, values) =>
      `у растра ${quoted(name)} нет класса ${value}; у него есть ${listed(values)}`,
    unitsDiffer: (a, b) =>
      `один реестр в единицах ${quoted(a)}, другой — ${quoted(b)}: передайте a_factor или b_factor — число, на которое нужно умножить значения одного из них, например 1000 для тысяч гектаров`,
    notHectares: (name, unit, parameter) =>
      `таблица ${quoted(name)} в единицах ${quoted(unit)}, а растр — в гектарах: передайте ${parameter} — сколько гектаров в одной её единице, например 1000 для тысяч гектаров`,
    unitUnknown: (name, parameter) =>
      `у таблицы ${quoted(name)} не указана единица измерения: передайте ${parameter} — число, на которое нужно умножить её значения, или 1`,
    tooManyCodes: (name, most) =>
      `в таблице ${quoted(name)} больше ${grouped(most)} кодов: столько сравнить нельзя`,
    noMap: () => 'ни у одной из сравниваемых территорий нет границ, поэтому карты расхождений нет',
  },
  register_reason: {
    dates: (a, b) => `Первый реестр — за ${a}, второй — за ${b}.`,
    noDate: (side) => `У ${ofNth(side)} реестра нет даты.`,
    factor: (side, unit, factor) =>
      `Значения ${ofNth(side)} реестра${unit === '' ? '' : ` (${quoted(unit)})`} умножены на ${factor}, как задано в запросе.`,
    bordersOfToday: (side, version) =>
      `Гектары ${ofNth(side)} реестра подсчитаны в сегодняшних границах, версия территорий ${version}; таблица может относиться к другим границам.`,
    classesLeft: (side, names) => `${inNth(side)} не выбраны классы: ${listed(names)}.`,
    outsideUnits: (side, hectares) =>
      `${inNth(side)} ${hectares} га выбранных классов лежат вне территорий этого уровня.`,
    unknownCodes: (side, codes) =>
      `${inNth(side)} есть коды, которых нет ни у одной территории: ${listed(codes)}.`,
    notListed: (side) => `${inNth(side)} этой территории нет.`,
    noNumber: (side, text) =>
      text === '' ? `${inNth(side)} ячейка пуста.` : `${inNth(side)} вместо числа стоит ${quoted(text)}.`,
    noBorders: (side) =>
      `У сервиса нет границ этой территории, поэтому площадь ${ofNth(side)} реестра в ней не подсчитана.`,
    outsideRaster: (side, hectares) =>
      `${hectares} га территории лежат за пределами растра ${ofNth(side)} реестра.`,
    noData: (side, hectares) => `На ${hectares} га территории у растра ${ofNth(side)} реестра нет данных.`,
    notChosen: (side, hectares) => `${inNth(side)} ${hectares} га относятся к классам, которые не выбраны.`,
    landChanged: (date) => `Границы территории изменились ${date} — между датами реестров.`,
    otherCode: (side, code, date) =>
      `${inNth(side)} территория записана под кодом, который был у неё до ${date}: ${code}.`,
    ended: (date, codes) =>
      codes.length === 0
        ? `Территории нет с ${date}.`
        : `Территории нет с ${date}; её земли относятся к ${listed(codes)}.`,
    began: (side, date) => `Территория существует с ${date} — позже даты ${ofNth(side)} реестра.`,
  },
  register_word: {
    title: 'Реестры рядом',
    sheet: 'Расхождения',
    comparison: (a, b) => `${a} и ${b}`,
    sideOf: (side) => ({ a: 'Первый реестр', b: 'Второй реестр' })[side],
    inUnit: (text, unit) => (unit === '' ? text : `${text}, ${unit}`),
    ha: 'га',
    difference: 'Разница: второй минус первый',
    differenceShort: 'Разница',
    share: 'Доля первого',
    reasons: 'Известные причины',
    shareColumn: 'Разница, доля первого',
    bothTotal: 'Территории в обоих',
    onlyA: 'Только в первом',
    onlyB: 'Только во втором',
    only: (side) => ({ a: 'Только в первом реестре', b: 'Только во втором реестре' })[side],
    alike: 'разницы нет',
    within: (bound) => `меньше ${bound} в обе стороны`,
    moreThan: (from, to) => `во втором больше на ${from} – ${to}`,
    lessThan: (from, to) => `во втором меньше на ${from} – ${to}`,
    moreFrom: (from) => `во втором больше на ${from} и более`,
    lessFrom: (from) => `во втором меньше на ${from} и более`,
    dataset: (side) => `Идентификатор набора данных ${ofNth(side)} реестра`,
    period: (side) => `Дата ${ofNth(side)} реестра`,
    classes: (side) => `Классы ${ofNth(side)} реестра`,
    allClasses: 'все',
    measure: (side) => `Единица измерения ${ofNth(side)} реестра`,
    multiplied: (unit, factor) => `${unit}, умножено на ${factor}`,
    units: 'Территории',
    version: 'Версия территорий',
    reading: 'Как читать',
    readingText:
      'Разница не означает ошибки ни в одном из реестров: у каждого своя дата, границы, классы и метод. Указаны причины, которые сервис может знать; возможны и другие.',
    whole: 'Причины, общие для всех территорий',
    largest: 'Самые большие расхождения',
    table: 'Все территории, начиная с самой большой разницы',
    map: 'Карта расхождений',
    noMap: 'Ни у одной из сравниваемых территорий нет границ.',
    inBoth: (units) => `В обоих реестрах — ${counted(units, 'территория', 'территории', 'территорий')}.`,
    onlyIn: (side, units, sum) =>
      `${{ a: 'Только в первом', b: 'Только во втором' }[side]} реестре — ${counted(units, 'территория', 'территории', 'территорий')}, всего ${sum}.`,
  },
} satisfies Translations<typeof english>;
