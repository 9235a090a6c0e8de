import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import {
  type LayerStyle,
  type Rule,
  storedStyle,
  takenRules,
} from '../../../../common/maps/style/sld-read.ts';
import type { Sign, StrokeSign } from '../../../../common/maps/style/sld-sign.ts';
import {
  plainSigns,
  signWithoutValue,
  unitPaintOf,
  paintOfRules,
} from '../../../../common/maps/units/unit-paint.ts';
import { latestOf, noColumns, unitProperties } from '../../../../common/maps/units/unit-properties.ts';
import { dataOf, unitFactsOf } from './attributes.ts';
import type { SourceFeature } from './collection.ts';
import type { VectorSource } from './read-source.ts';
import { MiB } from '../../../lib/units.ts';
import { vectorTileProblems } from '../../../messages/drawing/english.ts';
import type { LegendModel } from '../../../../common/maps/legend/model.ts';
import type { UnitValues } from '../../../../common/maps/units/choropleth.ts';
import type { ThreadContext } from '../objects/context.ts';

/** Paint of a feature; lengths in pixels. */
export interface Brush {
  readonly fill?: Rgba | undefined;
  /** For lines, and outlines of areas. */
  readonly stroke?: Pick<StrokeSign, 'colour' | 'width' | 'dashes'> | undefined;
  readonly dot?: Dot | undefined;
}
/** A point symbol: its fill, outline and shape. */
export interface Dot {
  readonly fill: Rgba | undefined;
  readonly stroke?: Brush['stroke'];
  readonly radius: number;
  /** Well-known name; a circle for an unknown one. */
  readonly shape: string;
}
/** Brushes of a feature at a scale, in drawing order. */
export type Brushes = (properties: SourceFeature['properties'], denominator: number) => readonly Brush[];

const plain = plainSigns.map(brushOf);

/** Chooses the brushes for the features of a source: by a style, by classes of values, or in the green of the page. */
export function brushesFor(
  features: readonly SourceFeature[],
  source: Pick<VectorSource, 'kind' | 'columns'>,
  style: LayerStyle | undefined,
): Brushes {
  if (source.kind === 'units') return brushesOfUnits(features, source, style);
  return style === undefined || style.rules.length === 0 ? () => plain : brushesOfRules(style.rules);
}

function brushesOfRules(rules: readonly Rule[]): Brushes {
  return (properties, denominator) =>
    takenRules(rules, properties, denominator).flatMap(({ signs }) => signs.map(brushOf));
}

function brushOf({ kind, fill, stroke, size, shape }: Sign): Brush {
  return kind === 'point' ? { dot: { fill, stroke, radius: size / 2, shape } } : { fill, stroke };
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
  return (properties, denominator) => {
    const known = unitProperties(unitFactsOf(properties), { columns, shown });
    const signs = paint.signsOf(known, denominator);
    return (signs.length === 0 ? [signWithoutValue] : signs).map(brushOf);
  };
}

/** Returns the non-empty values of all dates. */
function valuesOf(properties: SourceFeature['properties']): readonly (number | string)[] {
  return Object.values(dataOf(properties)).filter(
    (value) => typeof value === 'number' || typeof value === 'string',
  );
}

export interface UnitsLegendRequest {
  /** Key of the series of a table by KATO. */
  readonly seriesKey: string;
  /** A compiled style; undefined without one. */
  readonly compiled: string | undefined;
}

/** Limit of the values of a map by units. */
const maxSeriesBytes = 64 * MiB;

/** Returns the legend of a map by units. @throws {Problem} for too many values. */
export async function readUnitsLegend(
  { seriesKey, compiled }: UnitsLegendRequest,
  context: ThreadContext,
): Promise<LegendModel> {
  const byRules = paintOfRules(storedStyle(compiled)?.rules ?? []);
  const { entries } = byRules ?? unitPaintOf([], await readSeries(seriesKey, context));
  return { kind: 'classes', entries };
}

async function readSeries(key: string, context: ThreadContext): Promise<UnitValues> {
  const bytes = await context.read(key, 0, maxSeriesBytes + 1);
  if (bytes.length > maxSeriesBytes)
    throw vectorTileProblems.tooLarge(Math.ceil(bytes.length / MiB), maxSeriesBytes / MiB);
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
}
