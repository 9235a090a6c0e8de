import { fieldFaults } from '../../messages/request/english.ts';
import { filterFaults } from '../../messages/standards/english.ts';
import { checkFilter } from './check.ts';
import { type Filter, filterLimits, type FilterRules, readNumber } from './filter.ts';
import { refuseFilter } from './refuse.ts';
import { readCql2Text } from './text.ts';

export const filterLanguages = ['cql2-text', 'cql2-json'] as const;
export type FilterLanguage = (typeof filterLanguages)[number];

/**
 * Reads the parameter `filter`: text in either language in a query, or CQL2 JSON in a body.
 * @throws {Problem} `malformed` with the first fault
 */
export function readFilter(filter: unknown, language: FilterLanguage, rules: FilterRules): Filter {
  if (typeof filter !== 'string') return checkFilter(filter, rules);
  const { characters } = filterLimits;
  if (filter.length > characters) refuseFilter(fieldFaults.tooManyCharacters(characters));
  const read = language === 'cql2-text' ? readCql2Text : readCql2Json;
  return checkFilter(read(filter), rules);
}

/** Keeps all digits of integers, whose length JSON does not limit. */
function wholeNumber(
  _key: string,
  value: unknown,
  { source = '' }: { readonly source?: string } = {},
): unknown {
  return typeof value === 'number' ? (readNumber(source) ?? value) : value;
}

function readCql2Json(text: string): unknown {
  try {
    return JSON.parse(text, wholeNumber);
  } catch {
    return refuseFilter(filterFaults.notAnOperation);
  }
}
