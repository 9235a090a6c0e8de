import { post } from '../../service/request.ts';
import type { DistrictMatches } from '../../service/types.ts';

/** A row of a table: the name of a place, and of its region and district if the table gives them. */
export interface NamedRow {
  readonly name: string;
  readonly region: string | null;
  readonly district?: string;
}

/** Limit of the service for rows in a request. */
const rowsPerRequest = 20_000;
/** Longer cells are notes, not names. */
const maxCharacters = 200;

/**
 * Finds the units of rows. The order of the table matters, since it distinguishes units of the same name.
 * @throws {Refused}
 */
export async function matchNames(
  rows: readonly NamedRow[],
  signal: AbortSignal,
  perRequest = rowsPerRequest,
): Promise<DistrictMatches> {
  const asked = rows.map(({ name, region, district }) => ({
    name: cut(name),
    region: region === null ? null : cut(region),
    ...(district === undefined ? {} : { district: cut(district) }),
  }));
  let whole: DistrictMatches | undefined;
  let above: string | null = null;
  for (let from = 0; from < Math.max(1, asked.length); from += perRequest) {
    const body = { rows: asked.slice(from, from + perRequest), above };
    const part: DistrictMatches = await post('/districts/match', { body, signal });
    const regions = new Set(part.units.flatMap(({ kato, level }) => (level === 'region' ? [kato] : [])));
    above = part.matches.findLast(({ kato }) => kato !== null && regions.has(kato))?.kato ?? above;
    // Each part names the places of its own districts.
    const units = new Map([...(whole?.units ?? []), ...part.units].map((unit) => [unit.kato, unit]));
    const matches = [...(whole?.matches ?? []), ...part.matches];
    whole = { ...part, matches, units: [...units.values()] };
  }
  return whole ?? { districts_version: 0, matches: [], units: [] };
}

function cut(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, maxCharacters);
}
