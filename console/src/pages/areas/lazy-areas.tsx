import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadLandscapeWords } from '../landscape/words/landscape-words.ts';
import { language } from '../../words/words.ts';
import type { OwnProps } from './own-areas.tsx';
import type { UnitAreasProps } from './unit-areas.tsx';

const areas = lazy<UnitAreasProps>(async () => {
  const [{ UnitAreas }] = await Promise.all([import('./unit-areas.tsx'), loadLandscapeWords(language())]);
  return UnitAreas;
});

const own = lazy<OwnProps>(async () => (await import('./own-areas.tsx')).OwnAreas);

/** The table of areas by units, whose script and words come when it is opened. */
export function LazyAreas(props: UnitAreasProps) {
  return useLoaded(areas, { ...props });
}

/** The areas of polygons of one's own, whose script comes when it is opened. */
export function LazyOwnAreas(props: OwnProps) {
  return useLoaded(own, { ...props });
}
