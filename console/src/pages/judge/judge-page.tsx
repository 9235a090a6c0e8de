import './judge.css';
import { useMemo } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useCounted, getCounted } from '../../service/counted.ts';
import { useResource } from '../../service/resource.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { language } from '../../words/words.ts';
import { hasEnded } from '../runs/facts/run-facts.ts';
import { Judged } from './judged.tsx';
import { runsWords } from '../runs/words/words.ts';
import { judgeWords } from './words/words.ts';
import { mapWords } from '../../map/words/words.ts';
import type { LandscapeGraph, LandscapeRun } from '../../service/types.ts';
import { get } from '../../service/request.ts';
import { getRecord } from '../runs/record/record-content.ts';

interface JudgePageProps {
  readonly id: string;
}

/** The effect of thresholds and of the order of sectors on the land of a run, and its stability. */
export function JudgePage({ id }: JudgePageProps) {
  const wanted = language();
  const words = judgeWords();
  useTitle(words.title);
  const run = useResource(
    `run ${id}`,
    async (signal) => await get('/landscape/runs/{id}', { path: { id }, signal }),
  );
  const graph = useResource(`graph ${wanted}`, async (signal) => await get('/landscape/graph', { signal }));
  const record = useResource(`record ${id}`, async (signal) => await getRecord(id, signal));
  const [runNow, graphNow] = [run.resource.value, graph.resource.value];
  const failure = runNow.failure ?? graphNow.failure;
  const name = record.resource.value.value?.record.name ?? undefined;
  return (
    <article class="judge">
      <p class="small">
        <a href={hrefOf(['landscape', 'runs', id])}>
          ‹{' '}
          {name ??
            (runNow.value === undefined
              ? runsWords().title
              : runsWords().runOf(formatMoment(runNow.value.created_at, wanted)))}
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
        <OfRun run={runNow.value} graph={graphNow.value} />
      )}
      {(runNow.value === undefined || graphNow.value === undefined) && failure === undefined && <Waiting />}
    </article>
  );
}

interface OfRunProps {
  readonly run: LandscapeRun;
  readonly graph: LandscapeGraph;
}

/** Waits for the counted hectares, and shows the reason for the wait. */
function OfRun({ run, graph }: OfRunProps) {
  const words = judgeWords();
  const locale = mapWords.locale();
  const by = address.value.query.get('by') === 'region' ? 'region' : 'district';
  const balance = useCounted(
    `balance ${run.id} ${by} ${language()}`,
    async (asking) =>
      await getCounted('/landscape/runs/{id}/balance', { path: { id: run.id }, query: { by }, ...asking }),
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
      defaultGraph={graph}
      balance={value}
      isStale={isLoading && value.by !== by}
      zoningId={zoning}
      words={words}

      locale={locale}
    />
  );
}

/** The value of a parameter in a run; parameters that zones do not depend on keep their defaults. */
function valueIn(
  values: Readonly<Record<string, number | readonly number[]>>,
  { name, default: defaultValue }: LandscapeGraph['params'][number],
): number | readonly number[] {
  return values[name] ?? defaultValue;
}
