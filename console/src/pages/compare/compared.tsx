import { useSignal } from '@preact/signals';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { ChangesTable } from './changes-table.tsx';
import type { CompareState } from './compare-address.ts';
import { Differences } from './differences.tsx';
import { MatrixTable } from './matrix-table.tsx';
import { UnitsTable } from './units-table.tsx';
import { ViewPanel } from './view-panel.tsx';
import type { CompareWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';
import type { LandscapeGraph, RunComparison } from '../../service/types.ts';
import { getCounted } from '../../service/counted.ts';
import { get } from '../../service/request.ts';

interface ComparedProps {
  readonly a: string;
  readonly b: string;
  readonly node: string;
  readonly state: CompareState;
  readonly graph: LandscapeGraph;
  readonly words: CompareWords;
  readonly locale: MapLocale;
}

/** Shows the two runs on the map at once, and their figures after they are counted. */
export function Compared({ a, b, node, state, graph, words, locale }: ComparedProps) {
  const isCounting = useSignal(false);
  const compared = useResource(`compare ${node} ${state.by} ${language()}`, async (signal) => {
    isCounting.value = false;
    return await getCounted('/landscape/runs/{a}/compare/{b}', {
      path: { a, b },
      query: new URLSearchParams({ node, by: state.by }),
      signal,
      onCounting: () => void (isCounting.value = true),
    });
  });
  const runs = useResource('runs', async (signal) =>
    Promise.all([a, b].map(async (id) => await get('/landscape/runs/{id}', { path: { id }, signal }))),
  );
  const { value: comparison, failure, isLoading } = compared.resource.value;
  const [runA, runB] = runs.resource.value.value ?? [];
  const failureOfRuns = runs.resource.value.failure;
  return (
    <>
      {a === b && <p role="status">{words.same}</p>}
      {failureOfRuns !== undefined && <Failure failure={failureOfRuns} retry={runs.reload} />}
      {failure !== undefined && <Failure failure={failure} retry={compared.reload} title={words.uncounted} />}
      {comparison === undefined && failure === undefined && (
        <>
          <Waiting />
          <p role="status">{isCounting.value && words.counting}</p>
        </>
      )}
      {comparison !== undefined && (
        <div aria-busy={isLoading}>
          <Summary comparison={comparison} words={words} />
        </div>
      )}
      {runA !== undefined && runB !== undefined && (
        <ViewPanel
          runs={{ a: runA, b: runB }}
          comparison={failure === undefined ? comparison : undefined}
          {...{ node, state, graph, words, locale }}
        />
      )}
      {comparison !== undefined && (
        <>
          <div class="compare-columns">
            <ChangesTable comparison={comparison} change={state.change} words={words} />
            <Differences comparison={comparison} graph={graph} words={words} />
          </div>
          <MatrixTable comparison={comparison} change={state.change} words={words} />
          <UnitsTable comparison={comparison} state={state} words={words} />
        </>
      )}
    </>
  );
}

/** The changed area in a sentence. */
function Summary({
  comparison,
  words,
}: {
  readonly comparison: RunComparison;
  readonly words: CompareWords;
}) {
  const {
    changed_ha: changed,
    changed_share: share,
    only_a_ha: onlyA,
    only_b_ha: onlyB,
    counted_from: from,
  } = comparison;
  return (
    <div class="compare-summary">
      <p class="lead">
        {changed === 0
          ? words.unchanged
          : words.changed(formatHectares(changed, language()), formatShare(share ?? 0, language()))}
      </p>
      {onlyA > 0 && <p>{words.onlyA(formatHectares(onlyA, language()))}</p>}
      {onlyB > 0 && <p>{words.onlyB(formatHectares(onlyB, language()))}</p>}
      <p class="small muted">{words.method[from]}</p>
    </div>
  );
}
