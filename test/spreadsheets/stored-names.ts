import { z } from 'zod';
import { createNameIndex } from '../../src/units/names/name-index.ts';
import { formerNames, successorsOf } from '../../src/units/history/curated.ts';
import { readProjectFile } from '../support/project.ts';

const Properties = z.object({
  kato: z.string(),
  name: z.string(),
  name_kk: z.string().nullable(),
  name_en: z.string().nullable(),
});
const stored = (['region', 'district'] as const).flatMap((level) =>
  readProjectFile(`seeds/districts/${level}s.geojsonl`)
    .trim()
    .split('\n')
    .map((line) => ({
      level,
      ...Properties.parse(JSON.parse(`${/"properties":(\{[^}]*\})/.exec(line)?.[1]}`)),
    })),
);
/** Names of all units of a new service. */
export const storedNames = createNameIndex(stored, { formerNames, successorsOf });
