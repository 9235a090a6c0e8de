import { lazy, useLoaded } from '../../parts/lazy.tsx';
import type { WhereProps } from './where-part.tsx';
import type { LimitsProps } from './limits-part.tsx';

const part = lazy<LimitsProps>(async () => (await import('./limits-part.tsx')).LimitsPart);

const where = lazy<WhereProps>(async () => (await import('./where-part.tsx')).WherePart);

/** What limits a use, whose script comes with the first card of a suitability. */
export function LazyLimits(props: LimitsProps) {
  return useLoaded(part, { ...props });
}

/** Places that meet conditions, whose script comes when it is opened. */
export function LazyWhere(props: WhereProps) {
  return useLoaded(where, { ...props });
}
