import type { Box } from '../../standards/boxes.ts';
import { holds } from '../../standards/cql2/evaluate.ts';
import type { Filter, Literal, Queryables } from '../../standards/cql2/filter.ts';
import { type Interval, parseDay } from '../../standards/times.ts';
import { MiB } from '../../lib/units.ts';
import type { PositionText } from '../../geo/flatgeobuf/geometry.ts';

/** The most of one answer; a page ends before it has more, unless one feature alone does. */
const maxAnswerBytes = 16 * MiB;

/** The parts of features that are shown. */
export interface Shown {
  readonly positionText: PositionText;
  readonly hasGeometry: boolean;
  /** Names of the properties; undefined for all. */
  readonly properties: ReadonlySet<string> | undefined;
}

/** Which features of a collection are wanted. */
export interface Asked extends Shown {
  /** In degrees; undefined for the whole earth. */
  readonly boxes: readonly Box[] | undefined;
  /** Undefined where the client names no time. */
  readonly interval: Interval | undefined;
  readonly filter: Filter | undefined;
  readonly limit: number;
  /** The number of wanted features to pass over. */
  readonly offset: number;
  /** Where the page begins, out of the page before. */
  readonly token: string | undefined;
}

export interface FeaturePage {
  /** GeoJSON texts. */
  readonly features: readonly string[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
  /** The number of features that the next page still has to pass over. */
  readonly left?: number;
  /** Features whose geometry is too large for an answer, by their ids; the FlatGeobuf has it. */
  readonly withoutGeometry?: readonly number[];
}

/** Which features are counted. */
export type Counted = Pick<Asked, 'boxes' | 'interval' | 'filter'>;

/** PORT. A collection of features that can be asked for a page of them. */
export interface FeatureSource {
  /** What filters may name. */
  readonly queryables: Queryables;
  /** The names of all properties. */
  readonly properties: readonly string[];
  /** Counts the features that are wanted; undefined where that would take longer than a page of them. */
  count(asked: Counted): Promise<number | undefined>;
  /** Returns false for a token that no page of this collection gives. */
  isToken(token: string): boolean;
  page(asked: Asked): Promise<FeaturePage>;
  /** Returns the GeoJSON text of a feature; undefined when there is none with this id. */
  feature(id: string, shown: Shown): Promise<string | undefined>;
}

/** Returns those of the values that are shown. */
export function shownValues<Value>(
  values: Readonly<Record<string, Value>>,
  { properties }: Shown,
): Readonly<Record<string, Value>> {
  if (properties === undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => properties.has(name)));
}

/** Gathers the texts of a page, which refuses one that would make it too large. */
export function createPageTexts() {
  const texts: string[] = [];
  let bytes = 0;
  return {
    texts,
    /** Returns false, and takes nothing, when the page would become too large. */
    add(text: string): boolean {
      const length = Buffer.byteLength(text);
      if (texts.length > 0 && bytes + length > maxAnswerBytes) return false;
      bytes += length;
      texts.push(text);
      return true;
    },
  };
}

/** Returns whether a feature is one that a filter wants, by its values. */
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
