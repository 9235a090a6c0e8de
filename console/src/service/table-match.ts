import { ask } from './ask.ts';
import { askCounted } from './counted.ts';
import type { MappingSuggestion, TableMatch } from './types.ts';

interface Asking {
  readonly signal: AbortSignal;
  readonly onCounting: () => void;
}

const pathOf = (id: string): string => `/datasets/${encodeURIComponent(id)}`;

interface Columns {
  /** From 0. */
  readonly first: number;
  readonly most: number;
}

/** What the columns of a table seem to hold. @throws {Refused} 409 before they are detected. */
export async function getSuggestion(
  id: string,
  { first, most }: Columns,
  asking: Asking,
): Promise<MappingSuggestion> {
  const query = `first_column=${first}&max_columns=${most}`;
  return await askCounted(`${pathOf(id)}/mapping/suggestion?${query}`, asking);
}

/** With which units the rows of an extracted table match. @throws {Refused} */
export async function getTableMatch(id: string, asking: Asking): Promise<TableMatch> {
  return await askCounted(`${pathOf(id)}/mapping/match`, asking);
}

/** Starts the extraction of the values. @throws {Refused} */
export async function submitMapping(id: string, mapping: unknown): Promise<void> {
  await ask(`${pathOf(id)}/mapping`, { method: 'POST', body: mapping });
}

/** Lets another mapping follow one whose extraction has failed. @throws {Refused} */
export async function takeMappingBack(id: string): Promise<void> {
  await ask(`${pathOf(id)}/retry?step=mapping`, { method: 'POST' });
}
