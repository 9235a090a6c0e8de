import './notices.css';
import type { ComponentChildren } from 'preact';
import type { MapState } from './map-state.ts';
import type { MapWords, LayerProblem } from './words/words.ts';

/** Problems that another attempt cannot solve. */
const permanent: ReadonlySet<LayerProblem> = new Set(['no_place', 'gone']);

interface NoticeProps {
  readonly problem: LayerProblem;
  readonly words: MapWords;
  readonly retry: () => void;
}

/** Shows why a layer is missing, and what can be done about it. */
export function LayerNotice({ problem, words, retry }: NoticeProps) {
  return (
    <div class="map-layer-failed" role="alert">
      <p>{words.problem[problem]}</p>
      {!permanent.has(problem) && (
        // A browser does not request a failed script again.
        <button type="button" class="button" onClick={problem === 'script' ? () => location.reload() : retry}>
          {words.again}
        </button>
      )}
    </div>
  );
}

interface FailedProps {
  readonly words: MapWords;
  readonly retry: () => void;
  readonly children: ComponentChildren;
}

/** Names what is missing on a map, and offers to load it again. */
export function FailedNotice({ words, retry, children }: FailedProps) {
  return (
    <div class="small map-layer-failed" role="alert">
      {children}
      <button type="button" class="button" onClick={retry}>
        {words.again}
      </button>
    </div>
  );
}

/** Shows which background is missing, and offers to load it again. */
export function BaseNotice({ state, words }: { readonly state: MapState; readonly words: MapWords }) {
  const { baseFailed, backgroundFailed } = state;
  if (!baseFailed.value && !backgroundFailed.value) return null;
  const retry = (): void => {
    baseFailed.value = false;
    backgroundFailed.value = false;
  };
  return (
    <FailedNotice words={words} retry={retry}>
      {baseFailed.value && <p>{words.baseFailed}</p>}
      {backgroundFailed.value && <p>{words.backgroundFailed}</p>}
    </FailedNotice>
  );
}
