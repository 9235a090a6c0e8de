import type { Message } from '../lib/message.ts';
import { conflict, invalid, problem, sentences } from './base/define.ts';
import { nextSteps } from './datasets.ts';

type Status = keyof typeof nextSteps;

/** Reasons not to summarize values by unit, or not to make a table of them. */
export const zonalProblems = sentences('zonal', {
  notARaster: invalid(() => 'only a raster has statistics by unit'),
  notReady: conflict(
    (status: Status) =>
      `the raster is ${status}; its statistics are counted once it is ready${nextSteps[status]}`,
  ),
  noNumbers: invalid(() => 'the pixels of the raster have no numbers that could be summed up'),
  sumOfDensity: invalid(
    () =>
      'only counts have a sum: send values_are=count when each pixel contains a count, such as a number of people; a sum of densities or degrees means nothing',
  ),
  noDates: conflict(
    () => 'the raster has neither start_date nor end_date, so its values have no place in a table',
  ),
  tooManyColumns: invalid(
    (columns: number, most: number) =>
      `the table would have ${columns} columns, more than ${most}: ask for fewer statistics`,
  ),
  notFollowed: problem('not_found', () => 'no table of statistics follows this group'),
});

/** Remarks on the table that follows a group, and on rasters that are not in it. */
export const zonalPhrases = sentences('zonal_phrase', {
  off: 'no table of statistics follows this group',
  upToDate: (rasters: number) => `rasters in the table: ${rasters}`,
  noRasters: 'the group has no ready raster with dates yet',
  counting: (left: number) => `rasters that are not in the table yet: ${left}`,
  changing: 'the table is being updated',
  rastersFailed: (failed: number) =>
    `rasters that could not be counted: ${failed}; the others are in the table`,
  tableFailed: (reason: Message) => `the table could not be made: ${reason.english}`,
  waiting: 'is being counted',
  withoutDates: 'has no dates',
  replaced: 'has the same dates as a newer raster, which is in the table',
});

export const zonalWords = sentences('zonal_word', {
  title: 'Statistics of values by unit',
  sheet: 'Statistics',
  valuesAre: 'The pixels contain',
  density: 'a density: a quantity that does not grow with the size of a pixel',
  count: 'a count: the number of things within each pixel',
  minimum: 'Minimum valid share',
  statistics: 'Statistics',
  statisticsText:
    'Mean, standard deviation and quantiles are weighted by area; minimum and maximum are of all pixels that the unit has a part of; the valid share is that of the area of the unit.',
  valid: 'With values, ha',
  reason: 'Why there are none',
  noValues: 'no pixel has a value',
  belowMinimum: 'the share of the unit with values is below the minimum',
  mean: 'Mean',
  min: 'Minimum',
  max: 'Maximum',
  sd: 'Standard deviation',
  sum: 'Sum',
  validShare: 'Valid share',
  quantile: (percent: number) => `Quantile ${percent} %`,
});
