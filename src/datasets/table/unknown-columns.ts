import type { FieldErrors } from '../../common/errors.ts';
import { listed, quoted } from '../../common/readable.ts';
import type { AttributeColumn, MappingInput } from './mapping-schema.ts';

/**
 * The columns of a mapping that a dataset does not have, each with the one that may be meant. What columns there are is
 * said once: there can be tens of thousands on either side.
 */
export function findUnknownColumns(mapping: MappingInput, columns: readonly AttributeColumn[]): FieldErrors {
  const names = new Set(columns.map(({ name }) => name));
  const missing = [
    ['kato_column', mapping.kato_column] as const,
    ...mapping.year_columns.map(({ column }, index) => [`year_columns.${index}.column`, column] as const),
  ].filter(([, column]) => !names.has(column));
  if (missing.length === 0) return {};
  const similar = new Map([...names].map((name) => [folded(name), name]));
  const errors = new Map<string, string>();
  let isListed = false;
  for (const [field, column] of missing) {
    const meant = similar.get(folded(column));
    if (meant !== undefined) errors.set(field, `${unknown}; did you mean ${quoted(meant)}?`);
    else if (isListed) errors.set(field, unknown);
    else {
      errors.set(field, `${unknown}, which are ${listed([...names].map(quoted))}`);
      isListed = true;
    }
  }
  return Object.fromEntries(errors);
}

const unknown = 'is not among the attribute_columns of the dataset';

/** Without what is easily mistaken: case and blanks. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/\s+/g, '');
}
