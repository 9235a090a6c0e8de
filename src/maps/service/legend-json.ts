import { z } from 'zod';
import type { Language } from '../../messages/languages/translate.ts';
import { cssOf } from '../../../common/maps/style/colour-map.ts';
import type { LegendSource } from './legends.ts';
import type { WordedEntry } from '../../../common/maps/legend/model.ts';
import { noDataLabel, wordLegend } from './worded-legend.ts';

const Label = z
  .string()
  .describe(
    'In the language of the answer; labels of a style are unchanged, unless the service has made the style',
  );
const Colour = z
  .string()
  .regex(/^#[\da-f]{6}(?:[\da-f]{2})?$/)
  .describe('`#rrggbb`, with two more digits for the opacity unless it is opaque');

const Entry = z.object({
  label: Label,
  colour: Colour,
  value: z.number().optional().describe('Value of the class'),
  from: z.number().optional().describe('Lower bound of the class; absent without one'),
  to: z.number().optional().describe('Upper bound of the class; absent without one'),
  sign: z.enum(['area', 'line', 'point']).describe('Kind of symbol'),
});

const Stop = z.object({
  value: z.number().describe('Value at which the ramp has this colour'),
  label: Label,
  colour: Colour,
});

export const Legend = z
  .object({
    title: z
      .string()
      .describe(
        'Name of the dataset or of the group; names given by the service are in the language of the answer',
      ),
    unit: z.string().nullable().describe('Unit of the values'),
    kind: z
      .enum(['classes', 'ramp', 'colours'])
      .describe(
        '`classes` has a colour for each class, `ramp` continuous colours, `colours` those of the image itself',
      ),
    entries: z.array(Entry).describe('Classes in the order of the style; empty for other kinds'),
    stops: z.array(Stop).optional().describe('Colours of a `ramp`, from the lowest value'),
    no_data: z
      .object({ label: Label, drawn: z.literal(false).describe('These places are transparent') })
      .nullable()
      .describe('Label of places without a value; null if there cannot be any'),
    left_out: z.array(z.string()).describe('Parts of the style that are not drawn'),
    warning: z
      .string()
      .optional()
      .describe('Warns of invented data from which the map was made, only if there are any'),
    reading: z
      .string()
      .optional()
      .describe('Two sentences on how to read the map; only for outputs of the Landscape Program'),
  })
  .meta({
    id: 'Legend',
    description: 'The meaning of the colours of a map',
    examples: [
      {
        title: 'Functional zoning',
        unit: null,
        kind: 'classes',
        entries: [{ label: 'V1 irrigation', colour: '#1f78b4', value: 11, sign: 'area' }],
        no_data: { label: 'no data: not drawn', drawn: false },
        left_out: [],
      },
    ],
  });

/** Returns a legend in a language, in the format of answers. */
export function toLegendJson(source: LegendSource, language: Language): z.infer<typeof Legend> {
  const { title, unit, model, hasNoData, leftOut, reading, warning } = source;
  const legend = wordLegend(model, language);
  return {
    title,
    unit,
    kind: legend.kind,
    entries: legend.kind === 'classes' ? legend.entries.map(toEntry) : [],
    ...(legend.kind === 'ramp'
      ? { stops: legend.stops.map(({ value, label, colour }) => ({ value, label, colour: cssOf(colour) })) }
      : {}),
    no_data: hasNoData ? { label: noDataLabel(language), drawn: false } : null,
    left_out: [...leftOut],
    ...(warning !== null && { warning }),
    ...(reading !== undefined && { reading }),
  };
}

function toEntry({ label, colour, sign, range }: WordedEntry): z.infer<typeof Entry> {
  return { label, colour: cssOf(colour), ...numbersOf(range), sign };
}

/** Returns the value of a single-number class, or the bounds of another one; JSON has no infinity. */
function numbersOf(range: WordedEntry['range']): { value?: number; from?: number; to?: number } {
  if (range === undefined) return {};
  const { from, to } = range;
  if (from === to) return { value: from };
  return { ...(Number.isFinite(from) ? { from } : {}), ...(Number.isFinite(to) ? { to } : {}) };
}
