import type { Database } from '../../database/tables.ts';

const maxCodes = 5;

/** How many rows there are that have a code, and how many of them no district has. */
export interface DistrictTally {
  readonly rows: number;
  readonly withoutDistrict: number;
  /** The first different codes that no district has. */
  readonly codes: readonly string[];
}

/** The codes of all districts that there are. */
export async function readDistrictCodes(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('districts').select('kato_code').execute();
  return new Set(rows.map(({ kato_code: code }) => code));
}

/** Counts codes, one row after the other. Memory does not grow with their number. */
export function createDistrictTally(districts: ReadonlySet<string>) {
  const codes = new Set<string>();
  let [rows, withoutDistrict] = [0, 0];
  return {
    add(code: string): void {
      rows += 1;
      if (districts.has(code)) return;
      withoutDistrict += 1;
      if (codes.size < maxCodes) codes.add(code);
    },
    result: (): DistrictTally => ({ rows, withoutDistrict, codes: [...codes] }),
  };
}
