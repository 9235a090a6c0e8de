import './judge.css';
import { useEffect, useMemo } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { useMapWords } from '../../map/legend/speech.ts';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useCounted } from '../../service/counted.ts';
import { type By, getBalance } from '../../service/judge.ts';
import { getGraph } from '../../service/landscape.ts';
import type { LandscapeGraph, LandscapeRun } from '../../service/landscape-types.ts';
import { useResource } from '../../service/resource.ts';
import { getRecord, getRun } from '../../service/runs.ts';
import { judgeWords, loadJudgeWords } from './words/judge-words.ts';
import type { LandscapeWords } from '../landscape/words/words.ts';
import { formatMoment } from '../../words/moments.ts';
import { language } from '../../words/words.ts';
import { hasEnded } from '../runs/facts/run-facts.ts';
import { Judged } from './judged.tsx';

interface JudgePageProps {
  readonly id: string;
  readonly landscape: LandscapeWords;
}

/** What thresholds and the order of sectors make of the land of a run, and how firm that is. */
export function JudgePage({ id, landscape }: JudgePageProps) {
  const wanted = language();
  useEffect(() => void loadJudgeWords(wanted), [wanted]);
  const words = judgeWords();
  useTitle(words?.title ?? landscape.runs.title);
  const run = useResource(`run ${id}`, async (signal) => (await getRun(id, signal)).run);
  const graph = useResource(`graph ${wanted}`, getGraph);
  const record = useResource(`record ${id}`, async (signal) => await getRecord(id, signal));
  const [runNow, graphNow] = [run.resource.value, graph.resource.value];
  if (words === undefined) return <Waiting />;
  const failure = runNow.failure ?? graphNow.failure;
  const name = record.resource.value.value?.record.name ?? undefined;
  return (
    <article class="judge">
      <p class="small">
        <a href={hrefOf(['landscape', 'runs', id])}>
          ‹{' '}
          {name ??
            (runNow.value === undefined
              ? landscape.runs.title
              : landscape.runs.runOf(formatMoment(runNow.value.created_at, wanted)))}
        </a>
      </p>
      <div class="page-head">
        <h1 tabIndex={-1}>{words.title}</h1>
        <p class="muted">{words.lead}</p>
      </div>
      {failure !== undefined && (
        <Failure
          failure={failure}
          retry={() => {
            run.reload();
            graph.reload();
          }}
        />
      )}
      {runNow.value !== undefined && !hasEnded(runNow.value) && <p role="status">{words.notEnded}</p>}
      {runNow.value !== undefined && hasEnded(runNow.value) && graphNow.value !== undefined && (
        <OfRun run={runNow.value} graph={graphNow.value} landscape={landscape} />
      )}
      {(runNow.value === undefined || graphNow.value === undefined) && failure === undefined && <Waiting />}
    </article>
  );
}

interface OfRunProps {
  readonly run: LandscapeRun;
  readonly graph: LandscapeGraph;
  readonly landscape: LandscapeWords;
}

/** Waits for the counted hectares, and says for what it waits. */
function OfRun({ run, graph, landscape }: OfRunProps) {
  const words = judgeWords();
  const speech = useMapWords();
  const by: By = address.value.query.get('by') === 'region' ? 'region' : 'district';
  const balance = useCounted(
    `balance ${run.id} ${by} ${language()}`,
    async (asking) => await getBalance(run.id, by, asking),
  );
  const { value, failure, isLoading, isCounting } = balance;
  const zoningCode = graph.nodes.at(-1)?.code;
  const zoning = run.nodes?.find(({ node_code: code }) => code === zoningCode)?.outputs?.[0]?.dataset_id;
  const settings = useMemo(
    () =>
      value && {
        ...graph,
        params: graph.params.map((param) => ({ ...param, default: valueIn(value.run_params, param) })),
      },
    [graph, value],
  );
  if (words === undefined || speech === undefined) return <Waiting />;
  if (failure !== undefined)
    return <Failure failure={failure} retry={balance.reload} title={words.notJudged} />;
  if (value === undefined || settings === undefined)
    return (
      <>
        <p role="status">{isCounting && words.counting}</p>
        <Waiting />
      </>
    );
  return (
    <Judged
      run={run}
      graph={settings}
      usual={graph}
      balance={value}
      isStale={isLoading && value.by !== by}
      zoningId={zoning}
      words={words}
      landscape={landscape}
      speech={speech}
    />
  );
}

/** The value of a parameter in a run; one that zones do not depend on keeps its default. */
function valueIn(
  values: Readonly<Record<string, number | readonly number[]>>,
  { name, default: usual }: LandscapeGraph['params'][number],
): number | readonly number[] {
  return values[name] ?? usual;
}
