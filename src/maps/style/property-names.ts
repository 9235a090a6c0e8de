import type { FilterExpression, ValueExpression } from './filter-expression.ts';

/**
 * The names that a property may have in the data, the likeliest first: as it is written, without the quotes of SQL, and without
 * what stands before it in XML, such as `gml:` or `topp:states/`.
 */
export function spellingsOf(written: string): readonly string[] {
  const plain = /^"(.*)"$/s.exec(written)?.[1]?.replaceAll('""', '"') ?? written;
  const local = /[^/:]*$/.exec(plain)?.[0] ?? '';
  return [...new Set([written, plain, local])].filter((name, index) => index === 0 || name !== '');
}

/** Returns the names of the properties that a filter looks at, each once. */
export function propertiesOf(filter: FilterExpression): readonly string[] {
  const names = new Set<string>();
  const takeValue = (value: ValueExpression): void => {
    if (typeof value === 'string') return;
    if (value[0] === 'get') {
      names.add(value[1]);
      return;
    }
    takeValue(value[1]);
    if (value[2] !== undefined) takeValue(value[2]);
  };
  const take = (part: FilterExpression): void => {
    switch (part[0]) {
      case 'all':
      case 'any':
        return part[1].forEach(take);
      case '!':
        return take(part[1]);
      case 'null':
      case 'like':
        return takeValue(part[1]);
      default:
        return part.slice(1).forEach(takeValue);
    }
  };
  take(filter);
  return [...names];
}
