import type { z } from 'zod';
import type { Database } from '../../database/tables/tables.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { formerNames, successorsOf } from '../history/curated.ts';
import { listUnits } from './current-units.ts';
import type { Judgement } from './judgement.ts';
import { judgeList } from './judge-list.ts';
import { createNameIndex, type NameIndex, type Unit } from './name-index.ts';
import type { DistrictMatches, DistrictMatchInput } from './names-schema.ts';

const maxCandidates = 8;

/** Creates the matcher of names for one process. Its index is built once for each version of the districts. */
export function createNameMatcher(db: Database) {
  let kept: { readonly version: number; readonly index: Promise<NameIndex> } | undefined;

  function indexOf(version: number): Promise<NameIndex> {
    // A version that is read late may be the older one: the newer index serves it.
    if (kept !== undefined && kept.version >= version) return kept.index;
    const index = readIndex(db);
    const made = { version, index };
    kept = made;
    index.catch(() => {
      if (kept === made) kept = undefined; // the next request retries
    });
    return index;
  }

  return async (asked: z.infer<typeof DistrictMatchInput>): Promise<DistrictMatches> => {
    const version = await readDistrictsVersion(db);
    const index = await indexOf(version);
    const judged = await judgeList(index, asked);
    return {
      districts_version: version,
      matches: judged.map(toMatch),
      units: Array.from(index.units.values(), toUnit),
    };
  };
}

async function readIndex(db: Database): Promise<NameIndex> {
  return createNameIndex(await listUnits(db), { formerNames, successorsOf });
}

/** Fields in the order of the schema, as in every answer. */
function toUnit({ kato, level, kind, name, name_kk, name_en }: Unit): DistrictMatches['units'][number] {
  return { kato, level, kind, name, name_kk, name_en };
}

function toMatch({ status, reason, remark, candidates }: Judgement): DistrictMatches['matches'][number] {
  const [first] = candidates;
  return {
    status,
    kato: status === 'exact' || status === 'likely' ? (first?.unit.kato ?? null) : null,
    candidates: candidates
      .slice(0, maxCandidates)
      .map(({ unit, confidence }) => ({ kato: unit.kato, confidence: Math.round(confidence * 100) / 100 })),
    reason,
    remark,
  };
}
