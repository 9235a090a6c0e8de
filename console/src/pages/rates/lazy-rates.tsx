import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadMapWords } from '../../map/words/map-words.ts';
import { language } from '../../words/words.ts';
import type { RateProps } from './rate-section.tsx';

const rates = lazy<RateProps>(async () => {
  const [{ RateSection }] = await Promise.all([import('./rate-section.tsx'), loadMapWords(language())]);
  return RateSection;
});

/** What the values of a table are divided by; its script and words come when it is opened. */
export function LazyRates(props: RateProps) {
  return useLoaded(rates, { ...props });
}
