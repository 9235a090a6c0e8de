import { lazy, useLoaded } from '../../../parts/lazy.tsx';
import type { PolygonsProps } from './run-polygons.tsx';

const part = lazy<PolygonsProps>(async () => (await import('./run-polygons.tsx')).RunPolygons);

/** Zones as polygons, whose script comes when the part is opened. */
export function LazyPolygons(props: PolygonsProps) {
  return useLoaded(part, { ...props });
}
