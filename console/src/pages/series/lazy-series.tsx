import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadLandscapeWords } from '../landscape/words/landscape-words.ts';
import { language } from '../../words/words.ts';
import type { SeriesProps } from './group-series.tsx';

const series = lazy<SeriesProps>(async () => {
  const [{ GroupSeries }] = await Promise.all([import('./group-series.tsx'), loadLandscapeWords(language())]);
  return GroupSeries;
});

/** The table that follows a group, whose script and words come when it is opened. */
export function LazySeries(props: SeriesProps) {
  return useLoaded(series, { ...props });
}
