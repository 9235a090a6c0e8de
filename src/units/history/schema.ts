import { z } from 'zod';
import { unitLevels } from '../../../common/maps/units/levels.ts';
import { CalendarDate } from '../../validation/fields.ts';
import { knownFrom } from './curated.ts';
import type { Act } from './succession.ts';

const day = (text: string) => CalendarDate.nullable().describe(text);

const Names = {
  name: z.string().describe('Russian name'),
  name_kk: z.string().nullable().describe('Kazakh name; null if unknown'),
  name_en: z.string().nullable().describe('English name; null if unknown'),
};
const Validity = {
  valid_from: day('First day on which the unit existed in this form; null when no earlier change is known'),
  valid_to: day('First day on which the unit no longer exists in this form; null for a current unit'),
};

const Unit = z.object({
  kato: z.string().describe('KATO code as text; at another time it may belong to another unit'),
  level: z
    .enum(unitLevels)
    .describe(
      'Level: the country, regions with the cities of republican significance, the districts and cities below them, rural districts and administrations of towns (`okrug`), or settlements',
    ),
  ...Names,
  ...Validity,
  has_borders: z.boolean().describe('True if its borders are known, so that a map can show it'),
});

const ListedUnit = Unit.extend({
  parent: z.string().nullable().describe('KATO code of the unit above; null for the country'),
});

export const DistrictList = z
  .object({
    at: day('The requested day; null for the current units'),
    known_from: CalendarDate.describe(
      'Changes before this day are unknown: an earlier day is answered with the units of this day',
    ),
    data: z.array(ListedUnit).describe('Units, ordered by code'),
  })
  .meta({
    id: 'DistrictList',
    description: 'Administrative units as they were on a day, without their borders',
    examples: [
      {
        at: '2020-01-01',
        known_from: knownFrom,
        data: [
          {
            kato: '193200000',
            name: 'Аксуский',
            name_kk: 'Ақсу',
            name_en: 'Aksu',
            level: 'district',
            valid_from: null,
            valid_to: '2022-06-08',
            has_borders: true,
            parent: '190000000',
          },
        ],
      },
    ],
  });

export const AnsweredAct = z
  .object({
    kind: z
      .enum(['decree', 'decision'])
      .describe('A decree of the President, or a decision of a maslikhat and an akimat'),
    number: z.string().nullable().describe('Number of the act; null if unconfirmed'),
    signed: day('Day of signature; null when it could not be confirmed'),
    date_is: z
      .enum(['force', 'published', 'signed', 'about'])
      .describe(
        'The meaning of the date of the change: entry into force, publication, signature, or about that day',
      ),
    source: z.string().describe('Address of the source'),
  })
  .describe('The act that made the change');

/** Returns an act in the format of answers. */
export function toAct({ kind, number, signed, date_is, source }: Act) {
  return { kind, number, signed, date_is, source };
}

export const ChangeKind = z
  .enum(['recode', 'rename', 'split', 'merge', 'border'])
  .describe(
    '`recode` and `rename` do not change the land; `split`, `merge` and `border` are breaks in every series',
  );

const Change = z.object({
  kind: ChangeKind,
  date: CalendarDate.describe('Day of the change'),
  from: z.string().describe('KATO code of the unit before'),
  from_name: z.string().nullable().describe('Russian name of the unit before; null if unknown'),
  from_name_kk: z.string().nullable().describe('Kazakh name of the unit before; null if unknown'),
  from_name_en: z.string().nullable().describe('English name of the unit before; null if unknown'),
  to: z.string().nullable().describe('KATO code of the unit after; null if unknown'),
  to_name: z.string().nullable().describe('Russian name of the unit after; null if unknown'),
  share_area: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Share of the land of the earlier unit that belongs to the later unit; null if unknown'),
  act: AnsweredAct,
});

/** The units with a code through time, their predecessors and successors. */
export const DistrictHistory = z
  .object({
    kato: z.string().describe('Requested code'),
    known_from: CalendarDate.describe('Changes before this day are unknown'),
    units: z.array(Unit).describe('Units that have had this code, oldest first'),
    before: z.array(Change).describe('Changes that led to them, in chronological order'),
    after: z.array(Change).describe('Later changes, in chronological order'),
  })
  .meta({
    id: 'DistrictHistory',
    description: 'Units with one code through time, and the acts that changed them',
    examples: [
      {
        kato: '333200000',
        known_from: knownFrom,
        units: [
          {
            kato: '333200000',
            name: 'Аксуский',
            name_kk: 'Ақсу',
            name_en: 'Aksu',
            level: 'district',
            valid_from: '2022-06-08',
            valid_to: null,
            has_borders: true,
          },
        ],
        before: [
          {
            kind: 'recode',
            date: '2022-06-08',
            from: '193200000',
            from_name: 'Аксуский',
            from_name_kk: 'Ақсу',
            from_name_en: 'Aksu',
            to: '333200000',
            to_name: 'Аксуский',
            share_area: 1,
            act: {
              kind: 'decree',
              number: '887',
              signed: '2022-05-03',
              date_is: 'force',
              source: 'https://kazpravda.kz/n/ukaz-o-sozdanii-treh-novyh-oblastey-podpisal-tokaev',
            },
          },
        ],
        after: [],
      },
    ],
  });
