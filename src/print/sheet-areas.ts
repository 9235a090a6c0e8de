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
  { of, language }: { readonly of: string; readonly language: Language },
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
  const rows = entries.flatMap(({ colour, label, range }) => {
    const [red, green, blue, opacity] = colour;
    const area = range !== undefined && range.from === range.to ? take(range.from) : 0;
    return area > 0 ? [{ colour: [red, green, blue, opacity] as const, label, area }] : [];
  });
  const others = [...left.values()].reduce((sum, area) => sum + area, 0);
  const rest = [
    { colour: null, label: say('others'), area: others },
    { colour: null, label: say('noData'), area: noData },
    { colour: null, label: say('outside'), area: outside },
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
    rows: all.map(({ colour, label, area }, index) => ({
      colour,
      label,
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
