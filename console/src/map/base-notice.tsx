import type { MapWords } from '../words/map/words.ts';
import type { MapState } from './map-state.ts';

/** Shows which background is missing, and offers to load it again. */
export function BaseNotice({ state, words }: { readonly state: MapState; readonly words: MapWords }) {
  const { baseFailed, backgroundFailed } = state;
  if (!baseFailed.value && !backgroundFailed.value) return null;
  return (
    <div class="small map-layer-failed" role="alert">
      {baseFailed.value && <p>{words.baseFailed}</p>}
      {backgroundFailed.value && <p>{words.backgroundFailed}</p>}
      <button
        type="button"
        class="button"
        onClick={() => {
          baseFailed.value = false;
          backgroundFailed.value = false;
        }}
      >
        {words.again}
      </button>
    </div>
  );
}
