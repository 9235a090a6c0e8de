import type { Box } from '../../standards/boxes.ts';
import { holds } from '../../standards/cql2/evaluate.ts';
import type { Filter, Literal, Queryables } from '../../standards/cql2/filter.ts';
import { type Interval, parseDay } from '../../standards/times.ts';
import { MiB } from '../../lib/units.ts';
import type { PositionText } from '../../geo/flatgeobuf/geometry.ts';

/** Limit of one answer; a page ends before it, unless a single feature exceeds it. */
const maxAnswerBytes = 16 * MiB;

/** The parts of features that are shown. */
export interface Shown {
  readonly positionText: PositionText;
  readonly hasGeometry: boolean;
  /** Names of the requested properties; undefined for all. */
  readonly properties: ReadonlySet<string> | undefined;
}

/** The conditions for the features of a page. */
export interface Asked extends Shown {
  /** In degrees; undefined for the whole earth. */
  readonly boxes: readonly Box[] | undefined;
  /** Undefined when the client names no time. */
  readonly interval: Interval | undefined;
  readonly filter: Filter | undefined;
  readonly limit: number;
  /** The number of matching features to skip. */
  readonly offset: number;
  /** The token of the previous page. */
  readonly token: string | undefined;
}

export interface FeaturePage {
  /** GeoJSON texts. */
  readonly features: readonly string[];
  /** The token of the next page; undefined at the end. */
  readonly next: string | undefined;
  /** The number of features that the next page still has to skip. */
  readonly left?: number;
  /** Ids of features whose geometry is too large for an answer; the FlatGeobuf contains it. */
  readonly withoutGeometry?: readonly number[];
}

/** The conditions for the features that are counted. */
export type Counted = Pick<Asked, 'boxes' | 'interval' | 'filter'>;

/** PORT. A collection whose features can be read page by page. */
export interface FeatureSource {
  /** The properties that filters may name. */
  readonly queryables: Queryables;
  /** The names of all properties. */
  readonly properties: readonly string[];
  /** Counts the matching features; undefined when that would take longer than reading a page. */
  count(asked: Counted): Promise<number | undefined>;
  /** Returns whether a token is one that a page of this collection may have returned. */
  isToken(token: string): boolean;
  page(asked: Asked): Promise<FeaturePage>;
  /** Returns the GeoJSON text of a feature; undefined when the id is unknown. */
  feature(id: string, shown: Shown): Promise<string | undefined>;
}

/** Returns the requested values. */
export function shownValues<Value>(
  values: Readonly<Record<string, Value>>,
  { properties }: Shown,
): Readonly<Record<string, Value>> {
  if (properties === undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => properties.has(name)));
}

/** Creates a collector for the texts of a page; it refuses a text that would make the page too large. */
export function createPageTexts() {
  const texts: string[] = [];
  let bytes = 0;
  return {
    texts,
    /** Adds a text; returns false without adding it when the page would become too large. */
    add(text: string): boolean {
      const length = Buffer.byteLength(text);
      if (texts.length > 0 && bytes + length > maxAnswerBytes) return false;
      bytes += length;
      texts.push(text);
      return true;
    },
  };
}

/** Returns whether the values of a feature match a filter. */
export function isWanted(
  filter: Filter | undefined,
  value: (property: string) => Literal | null | undefined,
): boolean {
  const subject = {
    value,
    shape: () => undefined,
    interval: (property: string) => parseDay(String(value(property))),
  };
  return filter === undefined || holds(filter, subject, { steps: 0 });
}
