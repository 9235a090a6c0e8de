import { z } from 'zod';
import { readable } from '../../lib/readable.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import { styleParts } from '../../messages/drawing/english.ts';
import { ruleEntries } from '../../../common/maps/legend/model.ts';
import { cssOf, type Rgba } from '../../../common/maps/style/colour-map.ts';
import { type LayerStyle, layerStyleOf } from '../../../common/maps/style/sld-read.ts';
import { maxRules, type RuleName, type Undrawn, undrawnParts } from '../../../common/maps/style/undrawn.ts';
import { readCompiledStyle, type StyleDependencies } from './compiled-styles.ts';
import { getStyleKey, type StyleOwner } from './styles.ts';
import type { Message } from '../../lib/message.ts';

const maxTextCharacters = 200;
/** Rounding that hides the tiny shift of thresholds that belong to the class below. */
const digits = 15;

const Entry = z.object({
  colour: z.string().describe('`#rrggbb`, with two more digits for the opacity unless it is opaque'),
  value: z.number().nullable().describe('Value with the colour; null for ranges, and for rules of vectors'),
  from: z.number().nullable().describe('First value of a range; null without a lower bound'),
  to: z
    .number()
    .nullable()
    .describe(
      'First value above a range, or its last value if bounds belong to the class below; null without an upper bound',
    ),
  label: z.string().describe('Label in the style; may be empty'),
});
type Entry = z.infer<typeof Entry>;

const RuleInReport = z.object({
  number: z.int().min(1).describe('Position among the rules of the style, from 1'),
  name: z.string().describe('Name in the style, shortened; may be empty'),
  entries: z
    .array(z.string())
    .optional()
    .describe('Affected entries of its colour map, by label or otherwise by quantity'),
  properties: z
    .array(z.string())
    .optional()
    .describe('For `missing_properties`: properties that no feature has, as written in the rule'),
});

const example = {
  kind: 'raster' as const,
  title: 'Elevation',
  entries: [{ colour: '#aaffaa', value: 0, from: null, to: null, label: 'sea level' }],
  left_out: [
    { code: 'hillshade' as const, message: styleParts.hillshade.english, rules: [{ number: 1, name: '' }] },
  ],
};

export const StyleReport = z
  .object({
    kind: z
      .enum(['raster', 'vector', 'none'])
      .describe('Kind of drawing; `none` if no part of the style is drawn'),
    title: z.string().describe('Name of the style; may be empty'),
    entries: z.array(Entry).describe('Colours in the order of their values, or rules in drawing order'),
    left_out: z
      .array(
        z.object({
          code: z.enum(undrawnParts).describe('Stable code of the part of the style'),
          message: z.string().describe('The way it is drawn instead, as a sentence'),
          rules: z
            .array(RuleInReport)
            .max(maxRules)
            .optional()
            .describe('Rules that contain it; absent for parts outside rules'),
        }),
      )
      .describe('A part that is kept in the file, but not drawn as written'),
  })
  .meta({
    id: 'StyleReport',
    description: 'Drawn and undrawn parts of a style',
    examples: [example],
  });
export type StyleReport = z.infer<typeof StyleReport>;

/** Explanation of each part that is not drawn. */
export const partMeanings: Readonly<Record<Undrawn, Message>> = styleParts;

/**
 * Reports the drawn and undrawn parts of the style of a dataset, or otherwise of its group.
 * @param missing the rules on properties that no feature has.
 * @throws {Problem} `not_found`
 */
export async function getStyleReport(
  services: StyleDependencies,
  owner: StyleOwner,
  missing: readonly RuleWithoutProperty[],
): Promise<StyleReport> {
  const style = layerStyleOf(await readCurrentStyle(services, owner));
  const { undrawn, undrawnRules } = withMissing(style, missing);
  return {
    kind: style.raster !== undefined ? 'raster' : style.rules.length > 0 ? 'vector' : 'none',
    title: readable(style.title, maxTextCharacters),
    entries: [...entriesOf(style)],
    left_out: undrawn.map((code) => {
      const rules = undrawnRules[code]?.map(({ entries, ...rule }) => ({
        ...rule,
        name: readable(rule.name, maxTextCharacters),
        ...(entries && { entries: entries.map((entry) => readable(entry, maxTextCharacters)) }),
      }));
      return { code, message: partMeanings[code].english, ...(rules !== undefined && { rules }) };
    }),
  };
}

/** A rule on properties that no feature has. */
export interface RuleWithoutProperty extends RuleName {
  readonly properties: readonly string[];
}

function withMissing(
  { undrawn, undrawnRules }: LayerStyle,
  missing: readonly RuleWithoutProperty[],
): {
  readonly undrawn: readonly Undrawn[];
  readonly undrawnRules: Readonly<Partial<Record<Undrawn, readonly RuleName[]>>>;
} {
  if (missing.length === 0) return { undrawn, undrawnRules };
  const parts = undrawnParts.filter((part) => part === 'missing_properties' || undrawn.includes(part));
  const rules = missing.slice(0, maxRules).map(({ properties, ...rule }) => ({
    ...rule,
    properties: properties.slice(0, maxRules).map((name) => readable(name, maxTextCharacters)),
  }));
  return { undrawn: parts, undrawnRules: { ...undrawnRules, missing_properties: rules } };
}

/** Reads a style, and reads again if it is replaced meanwhile. */
async function readCurrentStyle(services: StyleDependencies, owner: StyleOwner) {
  let last: string | undefined;
  for (;;) {
    const key = await getStyleKey(services.db, owner);
    try {
      return await readCompiledStyle(services, key);
    } catch (error) {
      if (!(error instanceof ObjectMissing) || key === last) throw error;
      last = key;
    }
  }
}

function entriesOf({ raster, rules }: LayerStyle): readonly Entry[] {
  if (raster === undefined) {
    return ruleEntries(rules).map(({ colour, label }) =>
      entryOf(colour, label.kind === 'text' ? label.text : '', {}),
    );
  }
  const { kind = 'ramp', stops = [] } = raster.colours ?? {};
  return stops.map(({ value, colour, label }, index) =>
    entryOf(colour, label, kind === 'intervals' ? { from: stops[index - 1]?.value, to: value } : { value }),
  );
}

type Numbers = Readonly<Partial<Record<'value' | 'from' | 'to', number | undefined>>>;

function entryOf(colour: Rgba, label: string, { value, from, to }: Numbers): Entry {
  return {
    colour: cssOf(colour),
    value: numberOf(value),
    from: numberOf(from),
    to: numberOf(to),
    label: readable(label, maxTextCharacters),
  };
}

const numberOf = (number: number | undefined) =>
  number === undefined || !Number.isFinite(number) ? null : Number(number.toPrecision(digits));
