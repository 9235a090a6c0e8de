import type { LayerProblem } from '../words/map/layer-problem.ts';
import type { MapWords } from '../words/map/words.ts';

/** These stay as they are, however often somebody tries. */
const lasting: ReadonlySet<LayerProblem> = new Set(['no_place', 'gone']);

interface NoticeProps {
  readonly problem: LayerProblem;
  readonly words: MapWords;
  readonly retry: () => void;
}

/** Says why a layer is not shown, with a way on where there is one. */
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
