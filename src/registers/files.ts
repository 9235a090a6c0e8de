import { hectaresColumn, type UnitColumn, unitTableFile } from '../areas/unit-files.ts';
import { formatPeriod } from '../../common/formats/days.ts';
import { formatNumber } from '../../common/formats/numbers.ts';
import type { TableForm } from '../http/files/table-forms.ts';
import type { Message } from '../lib/message.ts';
import { areaWords } from '../messages/areas/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { registerWords as words } from '../messages/registers/english.ts';
import type { RegisterComparison, RegisterRow, Side } from './schema.ts';

/** Part of every ETag: raise it when the format of equal figures changes. */
export const registerFileVersion = 1;

type Row = Pick<RegisterRow, 'a' | 'b' | 'difference' | 'share' | 'reasons'>;

/** Writes a comparison in a form. */
export async function registersFile(
  form: TableForm,
  comparison: RegisterComparison,
  language: Language,
): Promise<Buffer> {
  const say = (message: Message) => translate(message, language);
  const { rows, total, a, b } = comparison;
  const inUnit = (text: string) => say(words.inUnit(text, comparedUnitText(comparison, language)));
  const columns: readonly UnitColumn<Row>[] = [
    hectaresColumn('a', inUnit(a.name), (row) => row.a),
    hectaresColumn('b', inUnit(b.name), (row) => row.b),
    hectaresColumn('difference', inUnit(say(words.difference)), (row) => row.difference),
    { name: 'share', title: say(words.shareColumn), type: 'number', valueOf: (row) => row.share },
    {
      name: 'reasons',
      title: say(words.reasons),
      type: 'text',
      valueOf: (row) => row.reasons.map(({ text }) => text).join(' '),
    },
  ];
  const none = { difference: null, share: null, reasons: [] };
  const book = {
    title: say(words.title),
    sheet: say(words.sheet),
    about: [
      ...(['a', 'b'] as const).flatMap((side) => {
        const facts = comparison[side];
        return [
          [say(words.sideOf(side)), facts.name],
          [say(words.dataset(side)), facts.dataset_id],
          [say(words.period(side)), periodText(facts, language)],
          [say(words.measure(side)), measureText(facts, language)],
          ...(facts.classes === null ? [] : [[say(words.classes(side)), classesText(facts, language)]]),
        ] as const;
      }),
      [say(words.units), say(areaWords[comparison.by])],
      [say(words.version), String(comparison.districts_version)],
      ...comparison.reasons.map(({ text }) => [say(words.whole), text] as const),
      [say(words.reading), say(words.readingText)],
    ].map(([name = '', text = '']) => [name, text] as const),
    foot: [
      [say(words.bothTotal), { ...none, ...total }],
      [say(words.onlyA), { ...none, a: comparison.only_a.value, b: null }],
      [say(words.onlyB), { ...none, a: null, b: comparison.only_b.value }],
    ] as const,
  };
  return await unitTableFile<Row>(form, comparison, { language, columns, rows, book });
}

/** The unit of all compared values in a language; empty without one. The words of tables stay as they are. */
export function comparedUnitText({ unit }: Pick<RegisterComparison, 'unit'>, language: Language): string {
  return unit === 'ha' ? translate(words.ha, language) : (unit ?? '');
}

/** The date of a register; a dash where it is unknown. */
export function periodText({ period }: Side, language: Language): string {
  return (period && formatPeriod(period.start_date, period.end_date, language)) ?? '–';
}

/** The unit of measurement of a register, with the factor of the request. */
export function measureText({ unit, factor }: Side, language: Language): string {
  const named = unit === null ? '–' : comparedUnitText({ unit }, language);
  if (factor === null) return named;
  return translate(words.multiplied(named, formatNumber(factor, language, 12)), language);
}

/** The chosen classes of a raster. */
export function classesText({ classes }: Side, language: Language): string {
  const all = classes ?? [];
  if (all.every((each) => each.is_chosen)) return translate(words.allClasses, language);
  return all
    .filter((each) => each.is_chosen)
    .map(({ title, value }) => title ?? String(value))
    .join(', ');
}
