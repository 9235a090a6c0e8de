import {
  noColumns,
  type UnitColumns,
  unitProperties,
  type UnitFacts,
} from '../../../../common/maps/units/unit-properties.ts';
import { boundsOf, type SourceFeature } from './collection.ts';
import type { VectorKind, VectorSource } from './read-source.ts';

export type Scalar = string | number | boolean;
export type Attributes = Readonly<Record<string, Scalar>>;

/** More columns make tiles heavy; a vector is a single feature, and has many at little cost. */
const maxColumns = 256;
/** Each date adds a value and its table column to each of hundreds of units. */
const maxDates = 30;
/** In UTF-16 units. */
export const maxTextLength = 256;
const maxInteger = 2 ** 52;

/** A feature of a layer without its geometry. */
export interface FeatureFacts {
  /** Code of a unit, otherwise index of the feature: the same in every tile. */
  readonly id: number;
  readonly attributes: Attributes;
}

/** Kind of a source, and the columns of its tiles; for units `names` are dates, the latest first. */
export interface Columns {
  readonly kind: VectorKind;
  readonly names: readonly string[];
  readonly ofTable: UnitColumns;
}

/** Chooses the columns of a source's tiles. */
export function columnsOf(
  features: readonly Pick<SourceFeature, 'properties'>[],
  { kind, columns = noColumns }: Pick<VectorSource, 'kind' | 'columns'>,
): Columns {
  if (kind !== 'units') return { kind, names: firstColumns(features), ofTable: columns };
  const names = latestDates(features);
  const values = columns.values.filter(([column, date]) => names.includes(date) && canBeNamed(column));
  return { kind, names, ofTable: { ...columns, values } };
}

/** Returns the attributes of a feature; for a unit everything that a style can name, or only the `value` of a date. */
export function factsOf(
  properties: SourceFeature['properties'],
  index: number,
  columns: Columns,
  datetime: string | undefined,
): FeatureFacts {
  const { kind, names } = columns;
  const attributes =
    kind === 'units'
      ? unitAttributes(properties, columns, datetime)
      : scalarsOf(names.map((column) => [column, ownValue(properties, column)]));
  return { id: kind === 'vector' ? index : idOf(properties, index), attributes };
}

/** Returns the first columns with scalars, in order of appearance. */
function firstColumns(features: readonly Pick<SourceFeature, 'properties'>[]): readonly string[] {
  const columns = new Set<string>();
  for (const { properties } of features) {
    for (const [column, value] of Object.entries(properties)) {
      if (columns.size === maxColumns) return [...columns];
      if (canBeNamed(column) && scalarOf(value) !== undefined) columns.add(column);
    }
  }
  return [...columns];
}

/** Returns the latest dates of a table up to the limit, the latest first. */
function latestDates(features: readonly Pick<SourceFeature, 'properties'>[]): readonly string[] {
  const dates = new Set(features.flatMap(({ properties }) => Object.keys(dataOf(properties))));
  return [...dates].toSorted().toReversed().slice(0, maxDates);
}

function unitAttributes(
  properties: SourceFeature['properties'],
  { names: dates, ofTable }: Columns,
  datetime: string | undefined,
): Attributes {
  const { kato, name, data } = unitFactsOf(properties);
  if (datetime !== undefined) {
    return scalarsOf([
      ['kato', kato],
      ['name', name],
      ['value', ownValue(data, datetime)],
    ]);
  }
  const latest = Object.fromEntries(dates.map((date) => [date, ownValue(data, date)]));
  const known = unitProperties({ kato, name, data: latest }, { columns: ofTable, shown: dates[0] ?? '' });
  return scalarsOf(Object.entries(known));
}

/** Returns a code of digits as a number, because ids of tile features are numbers. */
function idOf({ kato }: SourceFeature['properties'], index: number): number {
  const isCode = typeof kato === 'string' && /^[1-9][0-9]{0,14}$/.test(kato);
  return isCode ? Number(kato) : index;
}

function scalarsOf(entries: readonly (readonly [string, unknown])[]): Attributes {
  return Object.fromEntries(
    entries.flatMap(([column, value]) => {
      const scalar = scalarOf(value);
      return scalar === undefined ? [] : [[column, scalar]];
    }),
  );
}

/** Lists, objects and nulls cannot be stored in a tile. */
function scalarOf(value: unknown): Scalar | undefined {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'number':
      // The encoder writes whole numbers as zigzag integers, doubled if they are negative, which corrupts larger ones.
      return Number.isInteger(value) && Math.abs(value) > maxInteger ? String(value) : value;
    case 'string':
      return value.length <= maxTextLength ? value : value.slice(0, maxTextLength).toWellFormed();
    default:
      return undefined;
  }
}

/** The encoder looks columns up in an object, where names such as `constructor` are taken. */
const canBeNamed = (column: string) => !(column in {});

const ownValue = (record: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(record, name) ? record[name] : undefined;

type Properties = SourceFeature['properties'];

/** Returns the values of a unit by date, from its feature. */
export function dataOf({ data }: Properties): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null ? Object.fromEntries(Object.entries(data)) : {};
}

/** Returns the facts about a unit from its feature. */
export function unitFactsOf(properties: Properties): UnitFacts {
  return { kato: properties['kato'], name: properties['name'], data: dataOf(properties) };
}

/** Rates by KATO code, then by date. */
export type UnitRates = Readonly<Record<string, Readonly<Record<string, number | null>>>>;

/** Replaces the values of a unit by its rates. */
export function ratedOf(properties: Properties, rates: UnitRates | undefined): Properties {
  if (rates === undefined) return properties;
  const own = ownValue(rates, String(properties['kato']));
  return { ...properties, data: own ?? {} };
}

/** Facts about a vector for map descriptions. */
export interface VectorFacts {
  /** West, south, east, north in degrees; undefined without geometry. */
  readonly bounds: readonly [number, number, number, number] | undefined;
  /** Type of each attribute of its tiles, by name. */
  readonly fields: Readonly<Record<string, 'Boolean' | 'Number' | 'String'>>;
}

/** Describes features and the columns of their tiles; a column of several types is text. */
export function describeFeatures(features: readonly SourceFeature[], columns: Columns): VectorFacts {
  const fields = new Map<string, 'Boolean' | 'Number' | 'String'>();
  for (const [index, { properties }] of features.entries()) {
    const { attributes } = factsOf(properties, index, columns, undefined);
    for (const [name, value] of Object.entries(attributes)) {
      const type = typeOf(value);
      const known = fields.get(name);
      fields.set(name, known === undefined || known === type ? type : 'String');
    }
  }
  return { bounds: boundsOf(features), fields: Object.fromEntries(fields) };
}

function typeOf(value: Scalar) {
  if (typeof value === 'string') return 'String';
  return typeof value === 'number' ? 'Number' : 'Boolean';
}
