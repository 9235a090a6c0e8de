import type { Rgba } from '../../style/colour-map.ts';
import { type LayerStyle, type Rule, takenRules } from '../../style/sld-read.ts';
import type { Sign } from '../../style/sld-sign.ts';
import { denominatorOfWhole, plainSigns, signWithoutValue, unitPaintOf } from '../../units/unit-paint.ts';
import { latestOf, noColumns, unitProperties } from '../../units/unit-properties.ts';
import { dataOf, unitFactsOf } from './attributes.ts';
import type { SourceFeature } from './collection.ts';
import type { VectorSource } from './tasks.ts';

/** How a feature is painted; lengths in pixels. */
export interface Brush {
  readonly fill?: Rgba | undefined;
  /** Of lines, and around areas. */
  readonly stroke?: { readonly colour: Rgba; readonly width: number } | undefined;
  readonly dot?: Dot | undefined;
}
/** A point: what is in it, and the line around. */
export interface Dot {
  readonly fill: Rgba | undefined;
  readonly stroke?: Brush['stroke'];
  readonly radius: number;
}
/** The brushes of a feature, in the order of painting. */
export type Brushes = (properties: SourceFeature['properties']) => readonly Brush[];

const plain = plainSigns.map(brushOf);

/** Chooses how the features of a source are painted: by a style, by classes of values, or in the green of the page. */
export function brushesFor(
  features: readonly SourceFeature[],
  source: Pick<VectorSource, 'kind' | 'columns'>,
  style: LayerStyle | undefined,
): Brushes {
  if (source.kind === 'units') return brushesOfUnits(features, source, style);
  return style === undefined || style.rules.length === 0 ? () => plain : brushesOfRules(style.rules);
}

function brushesOfRules(rules: readonly Rule[]): Brushes {
  return (properties) =>
    takenRules(rules, properties, denominatorOfWhole).flatMap(({ signs }) => signs.map(brushOf));
}

function brushOf({ kind, fill, stroke, size }: Sign): Brush {
  return kind === 'point' ? { dot: { fill, stroke, radius: size / 2 } } : { fill, stroke };
}

/** Units are painted as on the page at the last date of the table. */
function brushesOfUnits(
  features: readonly SourceFeature[],
  { columns = noColumns }: Pick<VectorSource, 'columns'>,
  style: LayerStyle | undefined,
): Brushes {
  const units = features.map(({ properties }) => ({ values: valuesOf(properties) }));
  const paint = unitPaintOf(style?.rules ?? [], { units });
  const shown = latestOf(features.flatMap(({ properties }) => Object.keys(dataOf(properties))));
  return (properties) => {
    const known = unitProperties(unitFactsOf(properties), { columns, shown });
    const signs = paint.signsOf(known, denominatorOfWhole);
    return (signs.length === 0 ? [signWithoutValue] : signs).map(brushOf);
  };
}

/** The values of all dates, without what is none. */
function valuesOf(properties: SourceFeature['properties']): readonly (number | string)[] {
  return Object.values(dataOf(properties)).filter(
    (value) => typeof value === 'number' || typeof value === 'string',
  );
}
