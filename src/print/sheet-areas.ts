import type { ClassLand, UnitLand } from '../areas/by-unit.ts';
import type { SheetLegend } from '../../common/maps/paper/sheet-page.ts';
import type { WordedEntry } from '../../common/maps/legend/model.ts';
import { formatFixed } from '../../common/formats/numbers.ts';
import { formatParts } from '../../common/formats/shares.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { sheetWords } from '../messages/drawing/english.ts';

/** From this number on, hectares are shown without decimals. */
const large = 100_000;

/**
 * Adds hectares to the classes of a legend: first the classes that occur, in the order of the legend, then values without an entry, then
 * land without a value. The figures are those of `/areas`, rounded to a tenth, or to one hectare if the whole is large.
 */
export function legendWithHectares(
  entries: readonly WordedEntry[],
  { area_ha: whole, classes, no_data_ha: noData, outside_raster_ha: outside }: UnitLand<ClassLand>,
  {
    of,
    language,
    all: comparison,
  }: {
    readonly of: string;
    readonly language: Language;
    /** The land of the whole dataset, with which bars compare; undefined for no bars. */
    readonly all?: UnitLand<ClassLand> | undefined;
  },
): SheetLegend {
  const say = (word: 'noData' | 'outside' | 'others' | 'total' | 'hectares') =>
    translate(sheetWords[word], language);
  const hectaresOf = (hectares: number) => formatFixed(hectares, language, whole < large ? 1 : 0);
  const left = new Map(Object.entries(classes).map(([value, area]) => [Number(value), area]));
  const take = (value: number) => {
    const area = left.get(value) ?? 0;
    left.delete(value);
    return area;
  };
  const barOf = (value: number | undefined, area: number) =>
    comparison === undefined || value === undefined || !(whole > 0 && comparison.area_ha > 0)
      ? undefined
      : { part: area / whole, whole: (comparison.classes[String(value)] ?? 0) / comparison.area_ha };
  const rows = entries.flatMap(({ colour, label, range }) => {
    const [red, green, blue, opacity] = colour;
    const area = range !== undefined && range.from === range.to ? take(range.from) : 0;
    const value = range?.from;
    const shown = { colour: [red, green, blue, opacity] as const, label, area };
    return area > 0 ? [{ ...shown, bar: barOf(value, area) }] : [];
  });
  const others = [...left.values()].reduce((sum, area) => sum + area, 0);
  const rest = [
    { colour: null, label: say('others'), area: others, bar: undefined },
    { colour: null, label: say('noData'), area: noData, bar: undefined },
    { colour: null, label: say('outside'), area: outside, bar: undefined },
  ].filter(({ area }) => area > 0);
  const all = [...rows, ...rest];
  const shares = formatParts(
    all.map(({ area }) => area),
    language,
    '',
  );
  return {
    title: '',
    of,
    columns: { hectares: say('hectares'), share: '%' },
    rows: all.map(({ colour, label, area, bar }, index) => ({
      colour,
      label,
      ...(bar && { bar }),
      hectares: hectaresOf(area),
      share: shares[index] ?? '',
    })),
    total: {
      label: say('total'),
      hectares: hectaresOf(whole),
      share: whole > 0 ? formatFixed(100, language, 1) : '',
    },
  };
}
