import { grouped, listed, quoted } from '../base/kazakh-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const nth = (side: 'a' | 'b') => ({ a: 'бірінші', b: 'екінші' })[side];
const Nth = (side: 'a' | 'b') => ({ a: 'Бірінші', b: 'Екінші' })[side];

export const kazakh = {
  registers: {
    noValues: (name) =>
      `${quoted(name)} — вектор, онда аумақтар бойынша мән жоқ: ӘАОЖ бойынша кестені немесе кластары бар растрды таңдаңыз`,
    onlyTables: (parameter, name) => `${parameter} кестелерге арналған, ал ${quoted(name)} — растр`,
    onlyRasters: (parameter, name) => `${parameter} растрларға арналған, ал ${quoted(name)} — кесте`,
    noSuchDate: (name, date, dates) =>
      `${quoted(name)} кестесінде ${date} күнінің мәндері жоқ; онда мыналар бар: ${listed(dates)}`,
    noSuchClass: (name, value, values) =>
      `${quoted(name)} растрында ${value} класы жоқ; онда мыналар бар: ${listed(values)}`,
    unitsDiffer: (a, b) =>
      `тізілімдер бір өлшем бірлігінде емес: ${quoted(a)} және ${quoted(b)}. Біреуінің мәндері көбейтілетін санды a_factor немесе b_factor арқылы жіберіңіз, мысалы мың гектар үшін 1000`,
    notHectares: (name, unit, parameter) =>
      `${quoted(name)} кестесінің өлшем бірлігі — ${quoted(unit)}, ал растрдікі — гектар: оның бір бірлігінде неше гектар бар екенін ${parameter} арқылы жіберіңіз, мысалы мың гектар үшін 1000`,
    unitUnknown: (name, parameter) =>
      `${quoted(name)} кестесінің өлшем бірлігі көрсетілмеген: оның мәндері көбейтілетін санды ${parameter} арқылы жіберіңіз, көбейту керек болмаса — 1`,
    tooManyCodes: (name, most) =>
      `${quoted(name)} кестесінде ${grouped(most)} кодтан көп: мұншама кодты салыстыру мүмкін емес`,
    noMap: () => 'салыстырылатын аумақтардың ешқайсысының шекарасы жоқ, сондықтан айырмашылықтар картасы жоқ',
  },
  register_reason: {
    dates: (a, b) => `Бірінші тізілімнің күні — ${a}, екіншісінікі — ${b}.`,
    noDate: (side) => `${Nth(side)} тізілімде күн жоқ.`,
    factor: (side, unit, factor) =>
      `${Nth(side)} тізілімнің мәндері${unit === '' ? '' : ` (${quoted(unit)})`} сұрауда берілген санға көбейтілді: ${factor}.`,
    bordersOfToday: (side, version) =>
      `${Nth(side)} тізілімнің гектарлары бүгінгі шекаралар ішінде есептелді, аумақтардың нұсқасы — ${version}; кесте басқа шекараларға қатысты болуы мүмкін.`,
    classesLeft: (side, names) => `${Nth(side)} тізілімде таңдалмаған кластар: ${listed(names)}.`,
    outsideUnits: (side, hectares) =>
      `${Nth(side)} тізілімде таңдалған кластардың ${hectares} гектары осы деңгейдің ешбір аумағына кірмейді.`,
    unknownCodes: (side, codes) =>
      `${Nth(side)} тізілімде ешбір аумақтікі емес кодтар бар: ${listed(codes)}.`,
    notListed: (side) => `${Nth(side)} тізілімде бұл аумақ жоқ.`,
    noNumber: (side, text) =>
      text === ''
        ? `${Nth(side)} тізілімде ұяшық бос.`
        : `${Nth(side)} тізілімде санның орнында ${quoted(text)} тұр.`,
    noBorders: (side) =>
      `Сервисте бұл аумақтың шекарасы жоқ, сондықтан ондағы ${nth(side)} тізілімнің алаңы есептелмеді.`,
    outsideRaster: (side, hectares) =>
      `Аумақтың ${hectares} гектары ${nth(side)} тізілім растрынан тыс жатыр.`,
    noData: (side, hectares) => `Аумақтың ${hectares} гектарында ${nth(side)} тізілім растрының дерегі жоқ.`,
    notChosen: (side, hectares) => `${Nth(side)} тізілімде ${hectares} га таңдалмаған кластарда.`,
    landChanged: (date) => `Аумақтың шекарасы тізілімдердің күндері арасында өзгерді: ${date}.`,
    otherCode: (side, code, date) =>
      `${Nth(side)} тізілімде аумақ бұрынғы кодымен жазылған: ${code}; код ${date} күні ауысты.`,
    ended: (date, codes) =>
      codes.length === 0
        ? `Аумақ таратылған күн — ${date}.`
        : `Аумақ таратылған күн — ${date}; жері мыналарға өтті: ${listed(codes)}.`,
    began: (side, date) => `Аумақ құрылған күн — ${date}, бұл ${nth(side)} тізілімнің күнінен кейін.`,
  },
  register_word: {
    title: 'Тізілімдер қатар',
    sheet: 'Айырмашылықтар',
    comparison: (a, b) => `${a} және ${b}`,
    sideOf: (side) => `${Nth(side)} тізілім`,
    inUnit: (text, unit) => (unit === '' ? text : `${text}, ${unit}`),
    ha: 'га',
    difference: 'Айырма: екіншісінен біріншісі шегерілген',
    differenceShort: 'Айырма',
    share: 'Біріншісінің үлесі',
    reasons: 'Белгілі себептер',
    shareColumn: 'Айырма, біріншісінің үлесі',
    bothTotal: 'Екеуінде де бар аумақтар',
    onlyA: 'Тек біріншісінде',
    onlyB: 'Тек екіншісінде',
    only: (side) => `Тек ${nth(side)} тізілімде`,
    alike: 'айырма жоқ',
    within: (bound) => `екі жаққа да ${bound} мәнінен аз`,
    moreThan: (from, to) => `екіншісінде көп: ${from} – ${to}`,
    lessThan: (from, to) => `екіншісінде аз: ${from} – ${to}`,
    moreFrom: (from) => `екіншісінде көп: ${from} және одан артық`,
    lessFrom: (from) => `екіншісінде аз: ${from} және одан артық`,
    dataset: (side) => `${Nth(side)} тізілім деректер жиынының идентификаторы`,
    period: (side) => `${Nth(side)} тізілімнің күні`,
    classes: (side) => `${Nth(side)} тізілімнің кластары`,
    allClasses: 'бәрі',
    measure: (side) => `${Nth(side)} тізілімнің өлшем бірлігі`,
    multiplied: (unit, factor) => `${unit}, көбейтілген сан — ${factor}`,
    units: 'Аумақтар',
    version: 'Аумақтардың нұсқасы',
    reading: 'Қалай оқу керек',
    readingText:
      'Айырма тізілімдердің ешқайсысында қате бар дегенді білдірмейді: әрқайсысының өз күні, шекарасы, кластары және әдісі бар. Сервис біле алатын себептер көрсетілген; басқалары да болуы мүмкін.',
    whole: 'Барлық аумаққа ортақ себептер',
    largest: 'Ең үлкен айырмалар',
    table: 'Барлық аумақ, ең үлкен айырмадан бастап',
    map: 'Айырмашылықтар картасы',
    noMap: 'Салыстырылатын аумақтардың ешқайсысының шекарасы жоқ.',
    inBoth: (units) => `Екі тізілімде де ${grouped(units)} аумақ бар.`,
    onlyIn: (side, units, sum) => `Тек ${nth(side)} тізілімде ${grouped(units)} аумақ бар, барлығы ${sum}.`,
  },
} satisfies Translations<typeof english>;
