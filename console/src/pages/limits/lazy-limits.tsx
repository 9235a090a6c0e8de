import { lazy, useLoaded } from '../../parts/lazy.tsx';
import type { LimitsProps } from './limits-part.tsx';

const part = lazy<LimitsProps>(async () => (await import('./limits-part.tsx')).LimitsPart);

/** What limits a use, whose script comes with the first card of a suitability. */
export function LazyLimits(props: LimitsProps) {
  return useLoaded(part, { ...props });
}
