import type { Signal } from '@preact/signals';
import type { MapState } from '../../map/map-state.ts';
import type { MapSpeech } from '../../map/legend/speech.ts';
import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadLandscapeWords } from '../landscape/words/landscape-words.ts';
import { language } from '../../words/words.ts';

interface ExplainProps {
  readonly state: MapState;
  readonly speech: MapSpeech;
  readonly isAsking: Signal<boolean>;
}

const panel = lazy<ExplainProps>(async () => {
  const [{ ExplainPanel }] = await Promise.all([
    import('../explain/explain-panel.tsx'),
    loadLandscapeWords(language()),
  ]);
  return ExplainPanel;
});

/** The panel that explains a place, whose script and words come with the first place. */
export function LazyExplain(props: ExplainProps) {
  return useLoaded(panel, { ...props });
}
