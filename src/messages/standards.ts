import { problem, sentences } from './base/define.ts';

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['integer', 'a number'],
  ['date', 'a day such as 2024-06-01, or a time'],
  ['boolean', 'true or false, and only for = and <>'],
  ['time', 'a time such as 2024-06-01T00:00:00Z, or an interval'],
  ['geometry', 'a geometry in S_INTERSECTS'],
]);

/** Faults of a filter in CQL2, without the name of its parameter. */
export const filterFaults = sentences('filter', {
  syntax: (character: number) => `is not CQL2 at character ${character}`,
  notAnOperation: 'must be CQL2 JSON: an object with op and args',
  tooManyParts: (max: number) => `must have at most ${max} operations, values and positions`,
  tooDeep: (levels: number) => `must have at most ${levels} nested operations`,
  unsupported: (name: string) => `has ${name.slice(0, 64)}, which is not supported here`,
  unknownProperty: (name: string) => `has the property ${name.slice(0, 64)}, which is not a queryable`,
  noProperty: (op: string) => `must have a property in each ${op}`,
  wrongArguments: (op: string) => `has ${op} with a wrong number of arguments`,
  wrongValue: (property: string, type: string) =>
    `must compare ${property.slice(0, 64)} with ${typeNames.get(type) ?? type}`,
  wrongPattern: (property: string, max: number) =>
    `must have a text of at most ${max} characters after LIKE, and a property of text before it, not ${property.slice(0, 64)}`,
  wrongGeometry: (max: number) =>
    `must have a geometry or a box in degrees of at most ${max} positions in S_INTERSECTS`,
  tooCostly: 'compares geometries with too many edges; use a box or a simpler geometry',
});

/** Faults of parameters that OGC APIs and STAC share, without their names. */
export const standardFaults = sentences('standard', {
  unknownParameter: 'is not a parameter of this path',
  unknownMember: 'is not a member of a search; filter, in CQL2 JSON, narrows it by any property',
  query: (operators: readonly string[]) =>
    `must be an object of properties, each with an object of operators and values: ${operators.join(', ')}`,
  datetime:
    'must be a time such as 2024-06-01T00:00:00Z, or two times separated by a slash, the earlier first; one of them may be ..',
  bbox: 'must be four numbers, or six with heights: west, south, east, north, with south not above north',
  geometry: (max: number) => `must be a GeoJSON geometry in degrees with at most ${max} positions`,
  format: (name: string) => `must be ${name}`,
  offset: 'must be a whole number of 0 or more',
  limit: 'must be a whole number of 1 or more',
  token: 'must be taken from the link next of this search',
  boxAndGeometry: 'must not be sent together with bbox',
  unknownSort: (names: readonly string[]) => `must be ${names.join(', ')}, with - in front for descending`,
  noCollection: problem('not_found', () => 'no such collection'),
});
