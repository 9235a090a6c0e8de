import { type Definitions, resolve, type Schema } from './document.ts';

/**
 * What a value breaks of a schema, each with its place; none when it conforms. A judge of its own: the service makes its
 * description with zod, so zod is not asked whether the service keeps to it. Lengths count code points.
 */
export function violations(given: Schema, value: unknown, definitions: Definitions, place = ''): string[] {
  const schema = resolve(given, definitions);
  const at = place === '' ? 'the value' : place;
  const found: string[] = [];
  const demand = (kept: boolean, words: string): void => void (kept || found.push(`${at} ${words}`));
  const inner = (sub: Schema, part: unknown, step: string): void =>
    void found.push(...violations(sub, part, definitions, place === '' ? step : `${place}.${step}`));

  const types = [schema.type ?? []].flat();
  demand(types.length === 0 || types.some((type) => isOfType(value, type)), `is no ${types.join(' or ')}`);
  demand(schema.enum === undefined || schema.enum.includes(value), 'is not in the enum');
  demand(!('const' in schema) || schema.const === value, 'is not the constant');
  if (schema.anyOf !== undefined) {
    const branches = schema.anyOf.map((branch) => violations(branch, value, definitions, place));
    demand(
      branches.some((faults) => faults.length === 0),
      `conforms to no branch (${branches.flat().join('; ')})`,
    );
  }
  if (typeof value === 'string')
    found.push(...textViolations(schema, value).map((words) => `${at} ${words}`));
  if (typeof value === 'number') {
    demand(value >= (schema.minimum ?? -Infinity), 'is below the minimum');
    demand(value <= (schema.maximum ?? Infinity), 'is above the maximum');
  }
  if (Array.isArray(value)) {
    const { items, prefixItems = [] } = schema;
    demand(value.length >= (schema.minItems ?? 0), 'has too few items');
    demand(value.length <= (schema.maxItems ?? Infinity), 'has too many items');
    demand(schema.uniqueItems !== true || new Set(value).size === value.length, 'has an item twice');
    demand(items !== false || value.length <= prefixItems.length, 'has items that nothing is said of');
    for (const [index, part] of value.entries()) {
      const sub = prefixItems[index] ?? items;
      if (sub !== undefined && sub !== false) inner(sub, part, String(index));
    }
  }
  if (isRecord(value)) {
    const { properties = {}, additionalProperties: others = true } = schema;
    for (const name of schema.required ?? []) demand(Object.hasOwn(value, name), `lacks ${name}`);
    demand(Object.keys(value).length >= (schema.minProperties ?? 0), 'has too few properties');
    for (const [name, part] of Object.entries(value)) {
      if (schema.propertyNames !== undefined) inner(schema.propertyNames, name, `name ${name}`);
      const sub = Object.hasOwn(properties, name) ? properties[name] : others;
      if (sub === false) found.push(`${at} has ${name}, which is not described`);
      else if (sub !== undefined && sub !== true) inner(sub, part, name);
    }
  }
  return found;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function textViolations(schema: Schema, text: string): string[] {
  const { pattern, format, minLength = 0, maxLength = Infinity } = schema;
  const length = [...text].length;
  return [
    ...(pattern !== undefined && !new RegExp(pattern, 'u').test(text) ? ['does not match the pattern'] : []),
    ...(format !== undefined && !hasFormat(text, format) ? [`is no ${format}`] : []),
    ...(length < minLength ? ['is too short'] : []),
    ...(length > maxLength ? ['is too long'] : []),
  ];
}

/** As RFC 3339 and RFC 9562 have them; the version of a uuid does not matter. */
function hasFormat(text: string, format: NonNullable<Schema['format']>): boolean {
  if (format === 'uuid') return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
  if (format === 'date') return isDate(text);
  if (format === 'binary') return true;
  const isTime = /^.{10}T[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  return isTime && isDate(text.slice(0, 10));
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

/** What a text in a query or a form stands for: numbers are decimal digits, booleans `true` and `false`. */
export function fromText(given: Schema, text: string, definitions: Definitions): unknown {
  const { type } = resolve(given, definitions);
  if (type === 'integer' && /^[0-9]+$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Whether a value is what JSON calls an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
