import { type Columns, factsOf, type Scalar } from './attributes.ts';
import type { Position, SourceFeature } from './collection.ts';

/** What descriptions of a map say of a vector. */
export interface VectorFacts {
  /** West, south, east, north in degrees; undefined without geometry. */
  readonly bounds: readonly [number, number, number, number] | undefined;
  /** What each attribute of its tiles is, by name. */
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

function boundsOf(features: readonly SourceFeature[]): VectorFacts['bounds'] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (positions: readonly Position[]) => {
    for (const [longitude = 0, latitude = 0] of positions) {
      west = Math.min(west, longitude);
      east = Math.max(east, longitude);
      south = Math.min(south, latitude);
      north = Math.max(north, latitude);
    }
  };
  for (const { points, lines, polygons } of features) {
    take(points);
    for (const line of lines) take(line);
    for (const rings of polygons) for (const ring of rings) take(ring);
  }
  return west > east ? undefined : [west, south, east, north];
}
