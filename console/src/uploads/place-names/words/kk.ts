import { formatNumber } from '../../../../../common/formats/numbers.ts';
import type { en } from './en.ts';

const number = (count: number): string => formatNumber(count, 'kk');

export const kk: typeof en = {
  title: 'Атауы бойынша аумақтар',
  failed: 'Атаулар бойынша аумақтарды анықтау мүмкін болмады.',
  summary: (sure, all) => `${number(all)} атаудан анықталғаны: ${number(sure)}.`,
  answered: (done, all) =>
    done === all ? 'Барлық сұраққа жауап берілді.' : `Жауап күтетін сұрақтар: ${number(all - done)}.`,
  questions: 'Сұрақтар',
  more: (count) => `Тағы көрсету (${number(count)})`,
  likely: (count) => `Шамамен: ${number(count)} атау`,
  certain: (count) => `Анық: ${number(count)} атау`,
  others: (count) => `Қорытындылар және аумақ емес басқа жолдар: ${number(count)}`,
  name: 'Кестеде',
  found: 'Аумақ',
  why: 'Қаншалықты анық',
  rows: (count) => `${number(count)} жол`,
  blank: '(бос)',
  unitOf: (name) => `«${name}» үшін аумақ`,
  unit: (name, kind, region) => {
    const plain = name.replace(/ \(.*\)$/, '');
    const title = {
      region: `${plain} облысы`,
      city: `${plain} қаласы`,
      district: `${plain} ауданы`,
      okrug: name,
      settlement: name,
    }[kind];
    return region === undefined ? title : `${title}, ${region}`;
  },
  choose: 'Таңдаңыз…',
  candidates: 'Мүмкін',
  noUnit: 'Аумақ емес: картада көрсетілмейді',
  status: {
    exact: 'анық',
    likely: 'шамамен',
    doubtful: 'таңдаңыз',
    none: 'аумақ емес',
    chosen: 'сіз таңдадыңыз',
  },
  reason: {
    code: 'коды бойынша.',
    name: 'атауы бойынша.',
    sound: 'атауының басқа жазылуы бойынша.',
    former_name: 'бұрынғы атауы бойынша.',
    former_code: 'ескі жіктеуіштің коды бойынша.',
    region: 'жолдағы облыс бойынша.',
    rows_around: 'жоғарғы және төменгі жолдар бойынша.',
    language: 'тізімдегі атаулар орысша болғандықтан.',
    level: 'қалған жолдардың бәрі осы деңгейде болғандықтан.',
    other_rows: 'осылай аталатын басқа аумақтар басқа жолдарда болғандықтан.',
    similar: 'Атауы бірнеше әріппен ерекшеленеді.',
    several: 'Бірнеше аумақ осылай аталады.',
    divided: 'Бұл аумақ бөлінген: оның мәндері қазіргі бір ғана аумаққа жатпайды.',
    other_kind: 'Атауы сәйкес, бірақ жолда айтылғандай облыс, қала немесе аудан емес.',
    other_region: 'Осылай аталатын аумақ басқа облыста.',
    code_and_name: 'Код пен атау әртүрлі аумақтарға жатады.',
    code_reused: 'Бұрын бұл код басқа аумақта болған, ал кестеде ескі кодтар бар.',
    unclear: 'Ұяшықта бірнеше аумақ аталған.',
    no_district: 'Ауданы көрсетілмеген.',
    district_unknown: 'Ауданы анық емес.',
    total: 'қорытынды.',
    country: 'бүкіл ел.',
    below_district: 'ауданнан кіші аумақ.',
    not_in_service: 'жүйеде шекарасы жоқ аудан.',
    unknown: 'Мұндай атауы немесе коды бар аумақ белгісіз.',
    empty: 'бос ұяшық.',
  },
  remark: {
    total_of_unit: 'Бұл — аумақтың өз қорытындысы.',
    former_name: 'Қазір ол басқаша аталады.',
    former_code: 'Қазір оның коды басқа.',
    former_region: 'Қазір ол басқа облыста.',
    misspelled: 'Бір әріп өзгеше.',
  },
};
