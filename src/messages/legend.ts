import { sentences } from './define.ts';

/** The words of a legend that are not the dataset's own. */
export const legendPhrases = sentences('legend', {
  noData: 'no data: not drawn',
  others: 'others',
  unnamedClass: 'without a name',
  colours: 'Colours as they are in the file',
  above: (from: string) => `from ${from}`,
  below: (to: string) => `below ${to}`,
  more: (count: number) => `… ${count} more`,
});
