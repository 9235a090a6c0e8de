import type { InputRecipe, InputRecipeInput, LandscapeGraph, MadeRaster } from '../../service/types.ts';
import type { MakeWords } from './words/words.ts';

/** Characters of a name. */
const mostOfName = 255;

export type Method = InputRecipe['method'];
export type SlotFacts = LandscapeGraph['slots'][number];

/** The choice for each value of the attribute: a number as text, or an empty text for no value. */
export type Chosen = ReadonlyMap<string | null, string>;

/** The state of the form. Numbers are texts, as they are typed. */
export interface Draft {
  readonly method: Method;
  readonly vector: string;
  readonly attribute: string;
  readonly rule: 'centre' | 'majority' | 'mean';
  readonly chosen: Chosen;
  /** True if the attribute has numbers that are taken as they are, without a table. */
  readonly takesNumbers: boolean;
  /** True if values without a number have none on purpose. */
  readonly leavesOut: boolean;
  readonly limit: string;
  readonly rasters: readonly string[];
  readonly order: 'first' | 'newest' | 'minimum' | 'mean';
  readonly combine: 'sum' | 'mean' | 'minimum' | 'maximum';
  readonly byDays: boolean;
  readonly scale: string;
  readonly offset: string;
  readonly conversion: string;
  /** Values that are not above it count as 0; an empty text counts all. */
  readonly above: string;
  /** Smallest covered share, in percent. */
  readonly minCoverage: string;
  readonly measure: 'geodesic' | 'grid';
  readonly beyond: 'no_data' | 'limit';
  /** Attribute of the features to which distances are measured; empty for all. */
  readonly filterBy: string;
  readonly filterValues: readonly string[];
  /** Id of a raster, or a name of the recipe; empty for the usual grid. */
  readonly grid: string;
  readonly name: string;
  readonly start: string;
  readonly end: string;
}

/** The choices that depend on the attributes of a vector. */
export const withoutVector = {
  attribute: '',
  chosen: new Map(),
  takesNumbers: false,
  filterBy: '',
  filterValues: [],
} satisfies Partial<Draft>;

export const emptyDraft: Omit<Draft, 'method'> = {
  ...withoutVector,
  vector: '',
  rule: 'majority',
  leavesOut: false,
  limit: '',
  rasters: [],
  order: 'first',
  combine: 'mean',
  byDays: false,
  scale: '1',
  offset: '0',
  conversion: '',
  above: '',
  minCoverage: '50',
  measure: 'geodesic',
  beyond: 'no_data',
  grid: '',
  name: '',
  start: '',
  end: '',
};

/** The conversions of units that a recipe can have. */
export const conversions = [
  'kelvin_to_celsius',
  'fahrenheit_to_celsius',
  'metres_to_millimetres',
  'metres_to_centimetres',
  'kilometres_to_metres',
  'per_second_to_per_day',
] as const;

const numberOf = (text: string): number => (text.trim() === '' ? NaN : Number(text.replace(',', '.')));

/** Returns the methods that suit a slot, the usual one first. */
export function methodsOf({ kind, group }: Pick<SlotFacts, 'kind' | 'group'>): readonly Method[] {
  if (kind === 'classes') return ['rasterize', 'mosaic'];
  if (group.includes('distance')) return ['distance', 'mosaic', 'arithmetic', 'rasterize'];
  return group.endsWith('-dem')
    ? ['mosaic', 'arithmetic', 'rasterize', 'distance']
    : ['arithmetic', 'mosaic', 'rasterize', 'distance'];
}

/** Returns whether values are compared and not added, so that days have no meaning. */
export const isExtreme = (combine: Draft['combine']): boolean =>
  combine === 'minimum' || combine === 'maximum';

/** Returns the recipe of a form; undefined as long as something is missing or is not a number. */
export function recipeOf(draft: Draft): InputRecipeInput | undefined {
  const { method, vector, rasters } = draft;
  const own = ownOf(draft);
  switch (method) {
    case 'rasterize': {
      const { attribute, rule, leavesOut } = draft;
      if (vector === '' || attribute === '') return undefined;
      const share = numberOf(draft.minCoverage) / 100;
      if (!(share >= 0 && share <= 1)) return undefined;
      const least = rule === 'centre' ? {} : { min_coverage: share };
      const recipe = { method, dataset_id: vector, attribute, rule, ...least, ...own };
      if (draft.takesNumbers) return recipe;
      const rows = [...draft.chosen].map(([value, text]) => ({
        value,
        number: text === '' ? null : numberOf(text),
      }));
      if (rows.length === 0 || rows.some(({ number }) => Number.isNaN(number))) return undefined;
      return { ...recipe, table: rows, unmapped: leavesOut ? 'no_data' : 'refuse' };
    }
    case 'distance': {
      const limit = numberOf(draft.limit);
      const { measure, beyond, filterBy, filterValues } = draft;
      if (vector === '' || (draft.limit.trim() !== '' && !(limit > 0))) return undefined;
      if (filterBy !== '' && filterValues.length === 0) return undefined;
      const where = filterBy === '' ? null : { attribute: filterBy, values: [...filterValues] };
      const limitMetres = Number.isNaN(limit) ? null : limit * 1000;
      return { method, dataset_id: vector, measure, limit_m: limitMetres, beyond, where, ...own };
    }
    case 'mosaic':
      return rasters.length === 0 ? undefined : { method, dataset_ids: rasters, rule: draft.order, ...own };
    default: {
      const [scale, offset] = [numberOf(draft.scale), numberOf(draft.offset)];
      const above = draft.above.trim() === '' ? null : numberOf(draft.above);
      if (rasters.length === 0 || [scale, offset, above].some(Number.isNaN)) return undefined;
      const { combine } = draft;
      const conversion = conversions.find((each) => each === draft.conversion) ?? null;
      const weights = draft.byDays && !isExtreme(combine) ? 'days' : 'equal';
      const numbers = { scale, offset, conversion, above };
      return { method, dataset_ids: rasters, combine, weights, ...numbers, ...own };
    }
  }
}

/** Returns what any recipe may have; the service has defaults for the others. */
function ownOf({ grid, name, start, end }: Draft) {
  return {
    ...(grid !== '' && { grid }),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(start !== '' && { start_date: start }),
    ...(end !== '' && { end_date: end }),
  };
}

/** Returns the name of a raster for which none was typed, in the language of the page. */
export function usualName(
  { method, attribute, rasters }: Draft,
  title: string,
  { usualNames: names }: Pick<MakeWords, 'usualNames'>,
): string {
  if (method === 'distance') return title;
  return (
    method === 'rasterize' ? names.rasterize(title, attribute) : names[method](title, rasters.length)
  ).slice(0, mostOfName);
}

/** Returns a recipe with the fresher datasets of the groups of its sources. */
export function renewed({ recipe, sources }: Pick<MadeRaster, 'recipe' | 'sources'>): InputRecipeInput {
  const fresher = new Map(sources.map(({ dataset_id: id, newer }) => [id, newer?.id ?? id]));
  const current = (id: string) => fresher.get(id) ?? id;
  const grid = current(recipe.grid);
  return 'dataset_ids' in recipe
    ? { ...recipe, grid, dataset_ids: recipe.dataset_ids.map(current) }
    : { ...recipe, grid, dataset_id: current(recipe.dataset_id) };
}
