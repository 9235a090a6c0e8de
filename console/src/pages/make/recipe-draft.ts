import type { InputRecipe, InputRecipeInput, LandscapeGraph, MadeRaster } from '../../service/types.ts';

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
  /** True if values without a number have none on purpose. */
  readonly leavesOut: boolean;
  readonly limit: string;
  readonly rasters: readonly string[];
  readonly order: 'first' | 'newest' | 'minimum' | 'mean';
  readonly combine: 'sum' | 'mean';
  readonly byDays: boolean;
  readonly scale: string;
  readonly offset: string;
  readonly conversion: string;
}

export const emptyDraft: Omit<Draft, 'method'> = {
  vector: '',
  attribute: '',
  rule: 'majority',
  chosen: new Map(),
  leavesOut: false,
  limit: '',
  rasters: [],
  order: 'first',
  combine: 'mean',
  byDays: false,
  scale: '1',
  offset: '0',
  conversion: '',
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

/** Returns the recipe of a form; undefined as long as something is missing or is not a number. */
export function recipeOf(draft: Draft): InputRecipeInput | undefined {
  const { method, vector, rasters } = draft;
  switch (method) {
    case 'rasterize': {
      const { attribute, rule, leavesOut } = draft;
      const rows = [...draft.chosen].map(([value, text]) => ({
        value,
        number: text === '' ? null : numberOf(text),
      }));
      const isFaulty = rows.some(({ number }) => Number.isNaN(number));
      if (vector === '' || attribute === '' || rows.length === 0 || isFaulty) return undefined;
      return {
        method,
        dataset_id: vector,
        attribute,
        rule,
        table: rows,
        unmapped: leavesOut ? 'no_data' : 'refuse',
      };
    }
    case 'distance': {
      const limit = numberOf(draft.limit);
      if (vector === '' || (draft.limit.trim() !== '' && !(limit > 0))) return undefined;
      return { method, dataset_id: vector, limit_m: Number.isNaN(limit) ? null : limit * 1000 };
    }
    case 'mosaic':
      return rasters.length === 0 ? undefined : { method, dataset_ids: rasters, rule: draft.order };
    default: {
      const [scale, offset] = [numberOf(draft.scale), numberOf(draft.offset)];
      if (rasters.length === 0 || Number.isNaN(scale) || Number.isNaN(offset)) return undefined;
      const conversion = conversions.find((each) => each === draft.conversion) ?? null;
      const weights = draft.byDays ? 'days' : 'equal';
      return { method, dataset_ids: rasters, combine: draft.combine, weights, scale, offset, conversion };
    }
  }
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
