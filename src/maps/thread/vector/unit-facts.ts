import type { UnitFacts } from '../../units/unit-properties.ts';
import type { SourceFeature } from './collection.ts';

type Properties = SourceFeature['properties'];

/** Returns the values of a unit by date, as its feature has them. */
export function dataOf({ data }: Properties): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null ? Object.fromEntries(Object.entries(data)) : {};
}

/** Returns what the feature of a unit says of it. */
export function unitFactsOf(properties: Properties): UnitFacts {
  return { kato: properties['kato'], name: properties['name'], data: dataOf(properties) };
}
