import type { MapSources } from '../../map/layers/read-layer.ts';
import type { MapState } from '../../map/map-state.ts';
import type { MapSpeech } from '../../map/legend/speech.ts';
import { lazy, useLoaded } from '../../parts/lazy.tsx';

interface SheetProps {
  readonly state: MapState;
  readonly sources: MapSources;
  readonly speech: MapSpeech;
  readonly isAsked: boolean;
}

const panel = lazy<SheetProps>(async () => (await import('./sheet-panel.tsx')).SheetPanel);

/** What sets up a map on paper, whose script comes when it is opened. */
export function LazySheet(props: SheetProps) {
  return useLoaded(panel, { ...props });
}
