import { listed, quoted } from '../common/readable.ts';
import { nextSteps } from './datasets.ts';
import { conflict, invalid } from './define.ts';

export const mappingProblems = {
  wrongFileType: invalid(() => 'only a vector_with_kato dataset can be mapped'),
  wrongStatus: conflict(
    (status: keyof typeof nextSteps) =>
      `a dataset cannot be mapped while it is ${status}${nextSteps[status]}`,
  ),
};

const unknownColumn = 'is not among the attribute_columns of the dataset';

/** Faults of the fields of a mapping. */
export const mappingFaults = {
  notAYearColumn: 'must be an object with column, start_date and, for a period, end_date',
  endBeforeStart: 'must not be before start_date',
  katoColumn: 'is the KATO column already',
  mappedTwice: 'is mapped more than once',
  unknownColumn,
  misspeltColumn: (meant: string) => `${unknownColumn}; did you mean ${quoted(meant)}?`,
  unknownAmong: (names: readonly string[]) => `${unknownColumn}, which are ${listed(names.map(quoted))}`,
};
