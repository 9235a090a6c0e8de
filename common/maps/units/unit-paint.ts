import { type LegendEntry, ruleEntries } from '../legend/model.ts';
import type { Rgba } from '../style/colour-map.ts';
import type { Properties } from '../style/filter.ts';
import { type Rule, takenRules } from '../style/sld-read.ts';
import type { Sign, StrokeSign } from '../style/sld-sign.ts';
import { classesOf, type UnitValues } from './choropleth.ts';

/** Colouring of the units of a table, in every protocol and in its legend. */
export interface UnitPaint {
  /** Rules of a style also draw borders, which may change with the date. */
  readonly isByRules: boolean;
  /** Legend: one entry per class or rule. */
  readonly entries: readonly LegendEntry[];
  /** Returns the legend entry of a unit; undefined for a unit without a value. */
  readonly entryOf: (properties: Properties, denominator: number) => number | undefined;
  /** Returns the signs of a unit, the topmost last; empty for a unit without a value. */
  readonly signsOf: (properties: Properties, denominator: number) => readonly Sign[];
}

const green: Rgba = [31, 106, 82, 255];
/** Default signs of areas, lines and points. */
export const plainSigns: readonly Sign[] = [
  { kind: 'polygon', fill: [31, 106, 82, 41], stroke: undefined, size: 0, shape: '' },
  { kind: 'line', fill: undefined, stroke: { colour: green, width: 1.5, dashes: [] }, size: 0, shape: '' },
  { kind: 'point', fill: green, stroke: undefined, size: 8, shape: 'circle' },
];
/** Legend colour of the default signs. */
export const plainColour: Rgba = [143, 181, 169, 255];
const classCount = 7;
/** Scale denominator for drawing a whole dataset, that of a map of a country. */
export const denominatorOfWhole = 5e6;
/** Border of units that are coloured by value. */
export const unitBorder: StrokeSign = { colour: [255, 255, 255, 255], width: 0.75, dashes: [] };

/** Sign of a unit without a value, or without a matching rule. */
export const signWithoutValue: Sign = areaOf([226, 226, 222, 255]);

function areaOf(fill: Rgba): Sign {
  return { kind: 'polygon', fill, stroke: unitBorder, size: 0, shape: '' };
}

/** Returns the rules with area signs, reduced to these signs; units have no points. */
export function areaRules<T extends Pick<Rule, 'signs'>>(rules: readonly T[]): readonly T[] {
  return rules.flatMap((rule) => {
    const signs = rule.signs.filter(
      ({ kind, fill, stroke }) => kind !== 'point' && (fill !== undefined || stroke !== undefined),
    );
    return signs.length === 0 ? [] : [{ ...rule, signs }];
  });
}

/** Chooses the colouring of units: by the rules of a style, or by quantiles of all their values. */
export function unitPaintOf(rules: readonly Rule[], series: UnitValues): UnitPaint {
  return paintOfRules(rules) ?? paintOfValues(series);
}

/** Colours units by rules; undefined if none of them draws areas. */
export function paintOfRules(rules: readonly Rule[]): UnitPaint | undefined {
  const drawn = areaRules(rules);
  if (drawn.length === 0) return undefined;
  const indices = new Map(drawn.map((rule, index) => [rule, index]));
  const taken = (properties: Properties, denominator: number) => takenRules(drawn, properties, denominator);
  return {
    isByRules: true,
    entries: ruleEntries(drawn),
    entryOf: (properties, denominator) => {
      const last = taken(properties, denominator).at(-1);
      return last && indices.get(last);
    },
    signsOf: (properties, denominator) => taken(properties, denominator).flatMap(({ signs }) => signs),
  };
}

function paintOfValues(series: UnitValues): UnitPaint {
  const { list, classOf } = classesOf(series, 'quantiles', classCount);
  const signs = list.map(({ colour }) => [areaOf(colour)]);
  const entryOf = ({ value }: Properties) =>
    (typeof value === 'number' || typeof value === 'string') && value !== '' ? classOf(value) : undefined;
  return {
    isByRules: false,
    entries: list.map(({ colour, label }) => ({ colour, label, sign: 'area', isHidden: false })),
    entryOf,
    signsOf: (properties) => signs[entryOf(properties) ?? -1] ?? [],
  };
}
