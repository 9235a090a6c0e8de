import { z } from 'zod';
import { textOfAtMost } from '../../validation/fields.ts';
import { type Reason, reasons, type Remark, remarks } from './judgement.ts';

/** Maximum number of rows of one request; a longer table is sent in parts. */
export const maxMatchRows = 20_000;
const maxCellCharacters = 1000;

const level = z.enum(['region', 'district', 'okrug', 'settlement']);
const Cell = textOfAtMost(maxCellCharacters);

export const DistrictMatchInput = z
  .object({
    rows: z
      .array(
        z.object({
          name: Cell.describe('Cell of the table: a name, a KATO code, or both'),
          region: Cell.nullish().describe('Name or code of the region of the row, if the table contains it'),
          district: Cell.nullish().describe(
            'Name or code of the district of a rural district or settlement, or the code of its rural district, if the table contains it',
          ),
          level: level.nullish().describe('Level of the row, if known: `okrug` for rural districts'),
        }),
      )
      .min(1)
      .max(maxMatchRows)
      .describe('Rows in the order of the table, which distinguishes districts of the same name'),
    above: z
      .string()
      .regex(/^\d{9}$/)
      .nullish()
      .describe('Code of the region or district above the first row, if a table is sent in parts'),
  })
  .meta({
    id: 'DistrictMatchInput',
    description: 'Names of administrative units, row by row',
    examples: [
      {
        rows: [
          { name: 'Акмолинская обл.' },
          { name: 'Есильский р-н' },
          { name: 'Жамбылский район', region: 'СКО', level: 'district' },
          { name: 'Карааульский с.о.', region: 'Абай облысы', district: 'Абайский район' },
        ],
      },
    ],
  });

const reasonWords = {
  code: 'the cell is a current KATO code',
  name: 'one of the names of the unit',
  sound: 'a name of the unit in another spelling or script',
  former_name: 'a name that the unit had',
  former_code: 'a code of an older classifier; the unit is the same',
  region: 'the region of the row decides',
  rows_around: 'the rows above and below decide',
  language: 'the language of the list decides',
  level: 'the level of all other rows decides',
  other_rows: 'the other units of that name are other rows',
  similar: 'a name with other letters',
  several: 'several units have the name',
  divided: 'the unit of that name or code was divided',
  other_kind: 'the unit of that name is of another kind than the cell states',
  other_region: 'the unit of that name is not in the region of the row',
  code_and_name: 'code and name in the cell belong to different units',
  code_reused: 'the code belonged to another unit, and other codes of the table are old',
  unclear: 'the cell names more than one unit',
  no_district: 'a place below the districts, and no district is named',
  district_unknown: 'the district of the row is not known, or may be several',
  total: 'a total',
  country: 'the whole country',
  below_district: 'a place below the districts',
  not_in_service: 'a unit of Kazakhstan that the service does not have',
  unknown: 'no unit has such a name or code',
  empty: 'no name',
} as const satisfies Record<Reason, string>;
const remarkWords = {
  total_of_unit: 'a total, which stands for the unit itself',
  former_name: 'the name is a former one',
  former_code: 'the code is of an older classifier',
  former_region: 'the unit has left the region of the row',
  misspelled: 'the name differs in one letter',
} as const satisfies Record<Remark, string>;
const listed = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join('; ');
const kato = z.string().describe('KATO code as text');

const MatchUnit = z
  .object({
    kato,
    level: level.describe('Level of the unit'),
    kind: z
      .enum(['region', 'city', 'district', 'okrug', 'settlement'])
      .describe('A city may be a region or a district'),
    name: z.string().describe('Russian name'),
    name_kk: z.string().nullable().describe('Kazakh name; null if unknown'),
    name_en: z.string().nullable().describe('English name; null if unknown'),
    parent: z
      .string()
      .nullable()
      .optional()
      .describe('Code of the unit above a rural district or settlement; absent for regions and districts'),
  })
  .describe('A unit that a row can be');

const Match = z
  .object({
    status: z
      .enum(['exact', 'likely', 'doubtful', 'none'])
      .describe(
        '`exact` and `likely`: one unit; `doubtful`: a person has to choose; `none`: no unit, for example for a total or an unknown name',
      ),
    kato: z.string().nullable().describe('Code of the unit; null unless the status is `exact` or `likely`'),
    candidates: z
      .array(
        z
          .object({ kato, confidence: z.number().min(0).max(1).describe('Confidence in this unit, 0 to 1') })
          .describe('A unit that the row may be'),
      )
      .describe('At most eight candidates, best first'),
    reason: z.enum(reasons).describe(`Reason for the status. ${listed(reasonWords)}`),
    remark: z
      .enum(remarks)
      .nullable()
      .describe(`An additional note; usually null. ${listed(remarkWords)}`),
  })
  .describe('The match of one row');

export type DistrictMatches = z.infer<typeof DistrictMatches>;
export const DistrictMatches = z
  .object({
    districts_version: z.int().describe('Version of the administrative units'),
    matches: z.array(Match).describe('One match for each row, in the same order'),
    units: z
      .array(MatchUnit)
      .describe(
        'All units that a row can be corrected to, ordered by code: regions and districts, then the places of the districts that rows name',
      ),
  })
  .meta({
    id: 'DistrictMatches',
    description: 'The administrative units of the rows of a table',
    examples: [
      {
        districts_version: 3,
        matches: [
          {
            status: 'exact',
            kato: '110000000',
            candidates: [{ kato: '110000000', confidence: 1 }],
            reason: 'name',
            remark: null,
          },
          {
            status: 'doubtful',
            kato: null,
            candidates: [
              { kato: '114800000', confidence: 0.3 },
              { kato: '594200000', confidence: 0.3 },
              { kato: '711210000', confidence: 0.3 },
            ],
            reason: 'several',
            remark: null,
          },
        ],
        units: [
          {
            kato: '110000000',
            level: 'region',
            kind: 'region',
            name: 'Акмолинская',
            name_kk: 'Ақмола',
            name_en: 'Akmola',
          },
          {
            kato: '114800000',
            level: 'district',
            kind: 'district',
            name: 'Есильский',
            name_kk: 'Есіл',
            name_en: 'Esil',
          },
        ],
      },
    ],
  });
