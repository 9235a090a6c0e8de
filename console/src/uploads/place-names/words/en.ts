import { formatNumber } from '../../../../../common/formats/numbers.ts';
import { type Forms, pluralsOf } from '../../../words/plural.ts';
import type { DistrictMatches } from '../../../service/types.ts';

type Match = DistrictMatches['matches'][number];
type Kind = DistrictMatches['units'][number]['kind'];

const plural = pluralsOf('en');
const number = (count: number): string => formatNumber(count, 'en');
const counted = (count: number, forms: Forms): string => `${number(count)} ${plural(count, forms)}`;
const names = (count: number): string => counted(count, { one: 'name', other: 'names' });

/** The names of some cities include the word. */
const plain = (name: string): string => name.replace(/ \(.*\)$/, '');

const status: Readonly<Record<Match['status'] | 'chosen', string>> = {
  exact: 'certain',
  likely: 'probably',
  doubtful: 'please choose',
  none: 'no place',
  chosen: 'chosen by you',
};

const reason: Readonly<Record<Match['reason'], string>> = {
  code: 'by its code.',
  name: 'by its name.',
  sound: 'by its name in another spelling.',
  former_name: 'by a former name.',
  former_code: 'by a code of an older classifier.',
  region: 'by the region of the row.',
  rows_around: 'by the rows above and below.',
  language: 'because the names here are Russian.',
  level: 'because all other rows are of this level.',
  other_rows: 'because the others of this name are in other rows.',
  similar: 'The name differs in some letters.',
  several: 'Several places have this name.',
  divided: 'This unit was divided: its values belong to no single present unit.',
  other_kind: 'The name fits, but not as a region, a city or a district.',
  other_region: 'The place of this name is in another region.',
  code_and_name: 'The code and the name are of different places.',
  code_reused: 'Another place had this code before, and other codes of the table are old.',
  unclear: 'The cell names more than one place.',
  no_district: 'No district is named.',
  district_unknown: 'The district is not certain.',
  total: 'a total.',
  country: 'the whole country.',
  below_district: 'a place smaller than a district.',
  not_in_service: 'a district whose borders this service does not have.',
  unknown: 'No place of this name or code is known.',
  empty: 'an empty cell.',
};

const remark: Readonly<Record<NonNullable<Match['remark']>, string>> = {
  total_of_unit: 'It is the total of this place.',
  former_name: 'It has another name today.',
  former_code: 'It has another code today.',
  former_region: 'It is in another region today.',
  misspelled: 'A letter differs.',
};

export const en = {
  title: 'Places by name',
  failed: 'The names could not be looked up.',
  summary: (sure: number, all: number) => `${number(sure)} of ${names(all)} were found.`,
  answered: (done: number, all: number) =>
    done === all
      ? 'All questions are answered.'
      : `Please look at ${counted(all - done, { one: 'question', other: 'questions' })}.`,
  questions: 'Questions',
  more: (count: number) => `Show more (${number(count)})`,
  likely: (count: number) => `Probable: ${names(count)}`,
  certain: (count: number) => `Certain: ${names(count)}`,
  others: (count: number) => `Totals and other rows that are no place: ${number(count)}`,
  name: 'In the table',
  found: 'Place',
  why: 'How certain',
  rows: (count: number) => counted(count, { one: 'row', other: 'rows' }),
  blank: '(empty)',
  unitOf: (name: string) => `Place for “${name}”`,
  unit: (name: string, kind: Kind, region: string | undefined) => {
    const title = {
      region: `${plain(name)} Region`,
      city: `${plain(name)} (city)`,
      district: `${name} District`,
      okrug: name,
      settlement: name,
    }[kind];
    return region === undefined ? title : `${title}, ${region}`;
  },
  choose: 'Choose…',
  candidates: 'Perhaps',
  noUnit: 'No place: leave out of the map',
  status,
  reason,
  remark,
};
