import type { LayerStyle, Rule } from '../../../portrayal/style/sld-read.ts';
import type { Rgba } from '../../../portrayal/style/colour-map.ts';
import type { Sign } from '../../../portrayal/style/sld-sign.ts';
import { type Classes, classesOf, classesOfRules } from '../../../portrayal/units/choropleth.ts';
import type { SourceFeature } from './collection.ts';
import type { VectorKind } from './tasks.ts';

/** How a feature is painted; lengths in pixels. */
export interface Brush {
  readonly fill?: Rgba | undefined;
  /** Of lines, and around areas. */
  readonly stroke?: { readonly colour: Rgba; readonly width: number } | undefined;
  readonly dot?: { readonly colour: Rgba; readonly radius: number } | undefined;
}
/** The brushes of a feature, in the order of painting. */
export type Brushes = (properties: SourceFeature['properties']) => readonly Brush[];

const green: Rgba = [31, 106, 82, 255];
const plain: readonly Brush[] = [
  {
    fill: [31, 106, 82, 41],
    stroke: { colour: green, width: 1.5 },
    dot: { colour: green, radius: 4 },
  },
];
const unitBorder = { colour: [255, 255, 255, 255] as const, width: 0.75 };
const withoutValue: Brush = { fill: [226, 226, 222, 255], stroke: unitBorder };
/** As the page has it. */
const classCount = 7;
/** What is drawn as a whole is drawn as on a map of a country. */
const denominatorOfWhole = 5e6;

/** Chooses how the features of a source are painted: by a style, by classes of values, or in the green of the page. */
export function brushesFor(
  features: readonly SourceFeature[],
  kind: VectorKind,
  style: LayerStyle | undefined,
): Brushes {
  if (kind === 'units') return brushesOfUnits(features, style);
  return style === undefined || style.rules.length === 0 ? () => plain : brushesOfRules(style.rules);
}

function brushesOfRules(rules: readonly Rule[]): Brushes {
  const inScale = rules.filter(
    ({ scales: [from, to] }) => denominatorOfWhole >= from && denominatorOfWhole < to,
  );
  return (properties) => {
    const taken = inScale.filter(({ filter }) => filter !== 'else' && filter(properties));
    const shown = taken.length > 0 ? taken : inScale.filter(({ filter }) => filter === 'else');
    return shown.flatMap(({ signs }) => signs.map(brushOf));
  };
}

function brushOf({ kind, fill, stroke, size }: Sign): Brush {
  if (kind !== 'point') return { fill, stroke };
  const colour = fill ?? stroke?.colour;
  return colour === undefined ? {} : { dot: { colour, radius: size / 2 } };
}

/** Units have the colour of the class of their value at the last date that any of them has. */
function brushesOfUnits(features: readonly SourceFeature[], style: LayerStyle | undefined): Brushes {
  const units = features.map(({ properties }) => ({ values: Object.values(dataOf(properties)) }));
  const classes = classesOfRules(style?.rules ?? []) ?? classesOf({ units }, 'quantiles', classCount);
  const dates = features.flatMap(({ properties }) => Object.keys(dataOf(properties)));
  const latest = dates.reduce((last, date) => (date > last ? date : last), '');
  return (properties) => {
    const fill = colourOf(classes, dataOf(properties)[latest] ?? '');
    return fill === undefined ? [withoutValue] : [{ fill, stroke: unitBorder }];
  };
}

function colourOf({ list, classOf }: Classes, value: number | string): Rgba | undefined {
  const index = value === '' ? undefined : classOf(value);
  return index === undefined ? undefined : list[index]?.colour;
}

/** Values by date, without what is none. */
function dataOf({ data }: SourceFeature['properties']): Readonly<Record<string, number | string>> {
  const values = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return Object.fromEntries(
    values.flatMap(([date, value]: readonly [string, unknown]) =>
      typeof value === 'number' || typeof value === 'string' ? [[date, value] as const] : [],
    ),
  );
}
