import { listed, quoted } from '../../lib/readable.ts';
import { problem, sentences } from '../base/define.ts';

export const cadenceProblems = sentences('cadence', {
  none: problem('not_found', () => 'the dataset group has no cadence'),
});

export const cadenceFaults = sentences('cadence_fault', {
  notEvery:
    'must be an ISO 8601 duration with one number from 1 to 999 and one unit: years, months, weeks or days, such as P1Y, P3M, P2W or P10D',
  notGrace:
    'must be an ISO 8601 duration with one number from 1 to 999 and one unit: years, months, weeks or days, such as P60D, or P0D',
});

export const watchFaults = sentences('watch_fault', {
  notHold:
    'must be an ISO 8601 duration: P1D to P7D, or one number from 1 to 999 of hours, minutes or seconds, such as PT2H, PT30M or PT0S',
});

/** An input of a draft, in names and notes. */
export interface WatchedInput {
  readonly title: string;
  /** End of its period, `YYYY-MM`; null without dates. */
  readonly month: string | null;
  /** Names of the rasters before and after; null for none. */
  readonly from: string | null;
  readonly to: string | null;
}

const named = (name: string | null): string => (name === null ? 'none' : quoted(name));

/** Names and notes of the runs that the watch makes. */
export const watchPhrases = sentences('watch', {
  name: (inputs: readonly WatchedInput[]) =>
    `Draft by the watch: ${listed(inputs.map(({ title, month }) => (month === null ? title : `${title} ${month}`)))}`,
  note: (inputs: readonly WatchedInput[], hasAdopted: boolean) =>
    `Made by the watch over the inputs. Differences from ${hasAdopted ? 'the adopted run' : 'the previous run'}: ${inputs
      .map(({ title, from, to }) => `${title}: ${named(from)} → ${named(to)}`)
      .join('; ')}.`,
  firstName: 'Draft by the watch: the first run',
  firstNote: (inputs: readonly WatchedInput[]) =>
    `Made by the watch over the inputs; there was no run to compare with. It reads ${inputs.length === 1 ? 'one input' : `${inputs.length} inputs`}.`,
});
