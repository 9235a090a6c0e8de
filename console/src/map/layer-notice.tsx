import type { LayerProblem } from '../words/map/layer-problem.ts';
import type { MapWords } from '../words/map/words.ts';

/** Trying again cannot help here. */
const lasting: ReadonlySet<LayerProblem> = new Set(['no_place', 'gone']);

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
      {!lasting.has(problem) && (
        // A browser does not ask again for a script that has failed.
        <button type="button" class="button" onClick={problem === 'script' ? () => location.reload() : retry}>
          {words.again}
        </button>
      )}
    </div>
  );
}
