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
  .describe('`#rrggbb`, with two more digits for the opacity where it is not opaque');

const Entry = z.object({
  label: Label,
  colour: Colour,
  value: z.number().optional().describe('The number that it stands for'),
  from: z.number().optional().describe('Where its numbers begin; absent when they have no lower bound'),
  to: z.number().optional().describe('Where its numbers end; absent when they have no upper bound'),
  sign: z.enum(['area', 'line', 'point']).describe('How it is shown'),
});

const Stop = z.object({
  value: z.number().describe('The number at which the ramp has this colour'),
  label: Label,
  colour: Colour,
});

/** A legend as clients get it. */
export const Legend = z
  .object({
    title: z
      .string()
      .describe(
        'The name of the dataset or of the group; names that the service has given are in the language of the answer',
      ),
    unit: z.string().nullable().describe('The unit of the values'),
    kind: z
      .enum(['classes', 'ramp', 'colours'])
      .describe('A colour for each class, colours that run into each other, or a picture in its own colours'),
    entries: z.array(Entry).describe('The classes in the order of the style; none of another kind'),
    stops: z.array(Stop).optional().describe('The colours of a `ramp`, from the lowest value'),
    no_data: z
      .object({ label: Label, drawn: z.literal(false).describe('These places are transparent') })
      .nullable()
      .describe('Places without a value; null where there cannot be any'),
    left_out: z.array(z.string()).describe('Parts of the style that are not drawn'),
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

/** Words a legend in a language, in the form in which clients get it. */
export function toLegendJson(source: LegendSource, language: Language): z.infer<typeof Legend> {
  const { title, unit, model, hasNoData, leftOut, reading } = source;
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
    ...(reading !== undefined && { reading }),
  };
}

function toEntry({ label, colour, sign, range }: WordedEntry): z.infer<typeof Entry> {
  return { label, colour: cssOf(colour), ...numbersOf(range), sign };
}

/** A class of one number has a value, another has its bounds; JSON has no infinity. */
function numbersOf(range: WordedEntry['range']): { value?: number; from?: number; to?: number } {
  if (range === undefined) return {};
  const { from, to } = range;
  if (from === to) return { value: from };
  return { ...(Number.isFinite(from) ? { from } : {}), ...(Number.isFinite(to) ? { to } : {}) };
}
