import type { Box } from '../standards/boxes.ts';
import { holds } from '../standards/cql2/evaluate.ts';
import type { Filter, Literal, Queryables } from '../standards/cql2/filter.ts';
import type { Interval } from '../standards/times.ts';
import { MiB } from '../lib/units.ts';
import type { PositionText } from './flatgeobuf/geometry.ts';

/** The most of one answer; a page ends before it has more, unless one feature alone does. */
const maxAnswerBytes = 16 * MiB;

/** Which features of a collection are wanted. */
export interface Asked {
  /** In degrees; undefined for the whole earth. */
  readonly boxes: readonly Box[] | undefined;
  /** Undefined where the client names no time. */
  readonly interval: Interval | undefined;
  readonly filter: Filter | undefined;
  readonly limit: number;
  /** Where the page begins, out of the page before. */
  readonly token: string | undefined;
  readonly positionText: PositionText;
}

export interface FeaturePage {
  /** GeoJSON texts. */
  readonly features: readonly string[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

/** PORT. A collection of features that can be asked for a page of them. */
export interface FeatureSource {
  /** What filters may name. */
  readonly queryables: Queryables;
  /** How many features there are, where that is known without counting. */
  readonly count: number | undefined;
  /** Returns false for a token that no page of this collection gives. */
  isToken(token: string): boolean;
  page(asked: Asked): Promise<FeaturePage>;
  /** Returns the GeoJSON text of a feature; undefined when there is none with this id. */
  feature(id: string, positionText: PositionText): Promise<string | undefined>;
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
  const subject = { value, shape: () => undefined, interval: () => undefined };
  return filter === undefined || holds(filter, subject, { steps: 0 });
}
