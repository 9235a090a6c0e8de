import { readable } from '../../lib/readable.ts';
import type { Sentences } from '../areas.ts';
import { form, grouped, listed, quoted } from './wording.ts';

const named = (column: string): string => `«${readable(column, 255)}»`;
const anotherMapping = 'басқа сәйкестендіруді сұратып (POST /datasets/{id}/retry?step=mapping)';
const longCell = ({ column, length, row }: { column: string; length: number; row: number }): string =>
  `«${column}» бағанының ${row}-жолында ұзындығы ${grouped(length)} таңба мәтін бар`;

export const tables: Sentences<'table' | 'table_warning'> = {
  table: {
    noColumns: () =>
      'Файлда бағандар жоқ, сондықтан сәйкестендіретін ештеңе жоқ: ӘАОЖ (КАТО) кодтары бар бағанды және мәндері бар кемінде бір бағанды қосыңыз.',
    longRow: (row, millions) =>
      `Атрибуттар кестесінің ${row}-жолында ${grouped(millions)} миллион таңбадан көп; мәтіндерін қысқартып немесе бағандарды жойып, файлды қайта жүктеңіз.`,
    columnGone: (column) =>
      `Файлда «${column}» бағаны енді жоқ; файлды қайта жүктеп, қайтадан сәйкестендіріңіз.`,
    longCode: (cell) => `${longCell(cell)}; ${anotherMapping}, ӘАОЖ (КАТО) кодтары бар бағанды көрсетіңіз.`,
    longValue: (cell) => `${longCell(cell)}; ${anotherMapping}, мәндері бар бағандарды көрсетіңіз.`,
    tooMuchText: (code, mebibytes) =>
      `«${code}» кодының мәтіндері барлығы ${grouped(mebibytes)} МиБ-тан көп, карта мұншаны көрсете алмайды; ${anotherMapping}, мәндері бар бағандарды көрсетіңіз.`,
  },
  table_warning: {
    mixedCommas: (column) =>
      `${named(column)} бағанында ондық үтірлер де, мыңдықтарды бөлетін үтірлер де бар; әр ұяшық жеке оқылды.`,
    ambiguousCommas: (column) =>
      `${named(column)} бағанында әр үтірден кейін дәл үш цифр бар, сондықтан үтірлер мыңдықтарды бөлуі мүмкін; олар ондық үтір ретінде оқылды.`,
    rowsWithoutCode: (column, { read, skipped }) =>
      `${grouped(read)} жолдың ${grouped(skipped)} жолында ${named(column)} бағанында код жоқ; ${form(skipped, { one: 'ол', other: 'олар' })} өткізіп жіберілді.`,
    codesRepaired: (column, { text, code, rows }) =>
      `${grouped(rows)} жолда ${named(column)} бағанындағы кодты басқа бағдарлама өзгерткен; ол ӘАОЖ (КАТО) кодының тоғыз цифры ретінде оқылды, мысалы ${quoted(text)} — ${code}.`,
    codesShortened: (column, { text, rows }) =>
      `${named(column)} бағанындағы ${grouped(rows)} код дәреже көрсеткіші бар мәтін түрінде жазылған, мысалы ${quoted(text)}; олардың цифрлары жоғалған болуы мүмкін. Оларды дереккөзбен салыстырыңыз; қайта экспорттар алдында бағанға мәтін пішімін беріңіз.`,
    codesWithoutDistrict(column, { rows, withoutDistrict, codes }) {
      const first = listed(codes.map(quoted));
      if (withoutDistrict < rows)
        return `${quoted(column)} бағанында коды бар ${grouped(rows)} жолдың ${grouped(withoutDistrict)} жолындағы код шығарып алу кезінде ешбір ауданда болмаған, сондықтан олар картада жоқ. Осы кодтардың алғашқылары: ${first}.`;
      return `${quoted(column)} бағанында коды бар ${grouped(rows)} жолдың бірде-біріндегі код шығарып алу кезінде ешбір ауданда болмаған, сондықтан карта бос. Алғашқы кодтар: ${first}. Бұл ӘАОЖ (КАТО) кодтарының бағаны болмауы мүмкін; дұрыс бағаны бар сәйкестендіруді жіберіңіз.`;
    },
  },
};
