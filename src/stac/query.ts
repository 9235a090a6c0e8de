import { requestProblems } from '../messages/request/english.ts';
import { standardFaults } from '../messages/standards/english.ts';

/** The operators of the older query extension, as operations of CQL2. */
const comparisons: ReadonlyMap<string, string> = new Map([
  ['eq', '='],
  ['neq', '<>'],
  ['lt', '<'],
  ['lte', '<='],
  ['gt', '>'],
  ['gte', '>='],
]);
const patterns: ReadonlyMap<string, (text: string) => string> = new Map([
  ['startsWith', (text) => `${text}%`],
  ['endsWith', (text) => `%${text}`],
  ['contains', (text) => `%${text}%`],
]);
export const queryOperators = [...comparisons.keys(), ...patterns.keys(), 'in'];

/**
 * Converts conditions of the query extension of STAC to CQL2 JSON; undefined without conditions. Names and values are not checked here.
 * @throws {Problem} `malformed` for another form
 */
export function filterOfQuery(query: unknown): object | undefined {
  const args = membersOf(query).flatMap(([name, operators]) =>
    membersOf(operators).map(([operator, value]) => testOf(name, operator, value)),
  );
  return args.length === 0 ? undefined : { op: 'and', args };
}

function testOf(name: string, operator: string, value: unknown): object {
  const property = { property: name.replace(/^properties\./, '') };
  const comparison = comparisons.get(operator);
  if (comparison !== undefined) return { op: comparison, args: [property, value] };
  const pattern = patterns.get(operator);
  if (pattern !== undefined && typeof value === 'string')
    return { op: 'like', args: [property, pattern(value.replaceAll(/[%_\\]/g, String.raw`\$&`))] };
  return operator === 'in' ? { op: 'in', args: [property, value] } : refuse();
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : refuse();
}

function refuse(): never {
  throw requestProblems.wrongParameters({ query: standardFaults.query(queryOperators) });
}
