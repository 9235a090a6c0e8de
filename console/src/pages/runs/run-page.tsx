import '../../parts/views.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { useMedia, useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { OriginOf } from '../../parts/origin.tsx';
import { may } from '../../service/capabilities.ts';
import { useResource } from '../../service/resource.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { language } from '../../words/words.ts';
import { FailedRun } from './run-head.tsx';
import { type GraphLayout, layOut } from './graph/graph-layout.ts';
import { GraphView } from './graph/graph-view.tsx';
import { type RunContext, NodePanel, SlotPanel } from './graph/node-panel.tsx';
import { NodeTable } from './graph/node-table.tsx';
import { PhasesView } from './phases-view.tsx';
import { RecordDialog } from './record/record-dialog.tsx';
import { hasEnded, lastNodeOf, phasesOf, slotsToBlame } from './facts/run-facts.ts';
import { CancelButton, RunFacts, RunLinks, Settings } from './run-head.tsx';
import { Records } from './records.tsx';
import { RecordState } from './facts/signs.tsx';
import { useRun, type SeenRun } from './facts/use-run.ts';
import './runs.css';
import { runsWords } from './words/words.ts';
import type { LandscapeGraph } from '../../service/types.ts';
import { get } from '../../service/request.ts';
import { getRecord, type VersionedRecord } from './record/record-content.ts';

interface RunPageProps {
  readonly id: string;
}

/** A run: its progress, its graph with reasons, its outputs, and its record. */
export function RunPage({ id }: RunPageProps) {
  const text = runsWords();
  const run = useRun(id);
  const graph = useResource(
    `graph ${language()}`,
    async (signal) => await get('/landscape/graph', { signal }),
  );
  const record = useResource(`record ${id}`, async (signal) => await getRecord(id, signal));
  const seen = run.resource.value.value;
  const { value: held } = record.resource.value;
  const name =
    held?.record.name ??
    seen?.run.record?.name ??
    (seen === undefined ? text.title : text.runOf(formatMoment(seen.run.created_at, language())));
  useTitle(name);
  const isEditing = useSignal(false);
  const failure = run.resource.value.failure;
  const graphFailure = graph.resource.value.failure;
  return (
    <article class="run">
      <p class="small">
        <a href={hrefOf(['landscape', 'runs'])}>‹ {text.back}</a>
      </p>
      <div class="page-head">
        <h1 tabIndex={-1}>{name}</h1>
        {held !== undefined && <RecordState state={held.record.state} />}
      </div>
      {failure !== undefined && <Failure failure={failure} retry={run.reload} />}
      {graphFailure !== undefined && <Failure failure={graphFailure} retry={graph.reload} />}
      {(seen === undefined || graph.resource.value.value === undefined) &&
        failure === undefined &&
        graphFailure === undefined && <Waiting />}
      {seen !== undefined && graph.resource.value.value !== undefined && (
        <Loaded
          seen={seen}
          graph={graph.resource.value.value}
          held={held}
          onEdit={() => void (isEditing.value = true)}
          onCancelled={run.reload}
        />
      )}
      {record.resource.value.failure !== undefined && failure === undefined && (
        <Failure failure={record.resource.value.failure} retry={record.reload} title={text.record.unread} />
      )}
      {isEditing.value && held !== undefined && (
        <RecordDialog
          held={held}
          onClose={() => {
            isEditing.value = false;
            record.reload();
          }}
          onSaved={() => {
            isEditing.value = false;
            record.reload();
          }}
        />
      )}
    </article>
  );
}

interface LoadedProps {
  readonly seen: SeenRun;
  readonly graph: LandscapeGraph;
  readonly held: VersionedRecord | undefined;
  readonly onEdit: () => void;
  readonly onCancelled: () => void;
}

function Loaded({ seen, graph, held, onEdit, onCancelled }: LoadedProps) {
  const { run } = seen;
  const text = runsWords();
  const isTooLate = useSignal(false);
  const layout = useMemo(() => layOut(graph), [graph]);
  const plan = useResource(
    `plan ${run.id} ${language()}`,
    async (signal) =>
      run.status === 'queued'
        ? undefined
        : await get('/landscape/runs/{id}/plan', { path: { id: run.id }, signal }),
    run.status === 'queued' ? 0 : 1,
  );
  const known: RunContext = {
    run,
    graph,
    plan: plan.resource.value.value,
    planFailure: plan.resource.value.failure,
  };
  const phases = phasesOf(run);
  const zoning = run.nodes?.find(({ node_code: code }) => code === lastNodeOf(graph)?.code)?.outputs?.[0];
  return (
    <>
      <RunFacts seen={seen} />
      {zoning !== undefined && <OriginOf id={zoning.dataset_id} />}
      {held !== undefined && <NoteAndBasis held={held} />}
      <div class="actions run-actions">
        <RunLinks run={run} graph={graph} />
        {held !== undefined && may('landscape:run') && (
          <button type="button" class="button" onClick={onEdit}>
            {text.record.edit}
          </button>
        )}
        {may('landscape:run') && (
          <CancelButton
            id={run.id}
            hasEnded={hasEnded(run)}
            onEnded={(late) => {
              isTooLate.value = late;
              onCancelled();
            }}
          />
        )}
      </div>
      {(run.record?.restyled ?? []).length > 0 && <p class="needs">{text.record.restyled}</p>}
      <p class="needs" role="status">
        {isTooLate.value && text.cancel.ended}
      </p>
      {run.status === 'failed' && <FailedRun known={known} />}
      {phases !== undefined && <PhasesView phases={phases} blocks={run.blocks} />}
      <Settings run={run} graph={graph} />
      {known.planFailure !== undefined && (
        <Failure failure={known.planFailure} retry={plan.reload} title={text.why.away} />
      )}
      <Nodes layout={layout} known={known} />
      <Records run={run} graph={graph} held={held} zoningId={zoning?.dataset_id} />
    </>
  );
}

/** Note and basis, if there are any. */
function NoteAndBasis({ held: { record } }: { readonly held: VersionedRecord }) {
  const { note, basis } = record;
  return (
    <>
      {basis !== null && (
        <p>
          {runsWords().record.basis}: {basis}
        </p>
      )}
      {note !== null && <p class="note">{note}</p>}
    </>
  );
}

/** The graph or the list, chosen by the address or by the width of the page, and the node in focus. */
function Nodes({ layout, known }: { readonly layout: GraphLayout; readonly known: RunContext }) {
  const { run, graph } = known;
  const { view } = runsWords();
  const { path, query } = address.value;
  const isNarrow = useMedia(narrow);
  const wanted = query.get('as');
  const isList = wanted === 'list' || (wanted !== 'graph' && isNarrow);
  const focused = query.get('node') ?? undefined;
  const panel = useRef<HTMLElement>(null);
  const hrefAs = (as: string): string => hrefOf(path, { ...Object.fromEntries(query), as });
  const hrefTo = (node: string | undefined): string => hrefOf(path, { ...Object.fromEntries(query), node });
  const reveal = (): void =>
    void requestAnimationFrame(() => panel.current?.scrollIntoView({ block: 'nearest' }));
  const before = useRef(focused);
  useEffect(() => {
    const [last, active] = [before.current, document.activeElement];
    before.current = focused;
    if (last === focused) return;
    // In the graph the focus stays where it is. A link moves it to the panel of the node, and back when the panel closes.
    if (focused !== undefined && active?.closest('.run-graph') === null)
      panel.current?.querySelector('h2')?.focus();
    if (focused === undefined && active === document.body)
      document.querySelector<HTMLElement>(`[data-key="${last}"]`)?.focus();
  }, [focused]);
  const node = run.nodes?.find(({ node_code: code }) => code === focused);
  const vertex = focused === undefined ? undefined : layout.vertices.get(focused);
  const title = node === undefined ? vertex?.title : `${node.node_code} ${vertex?.title ?? ''}`;
  return (
    <>
      <nav class="views" aria-label={view.title}>
        <a href={hrefAs('graph')} aria-current={isList ? undefined : 'true'}>
          {view.graph}
        </a>
        <a href={hrefAs('list')} aria-current={isList ? 'true' : undefined}>
          {view.list}
        </a>
      </nav>
      {isList ? (
        <NodeTable known={known} hrefTo={hrefTo} />
      ) : (
        <GraphView
          layout={layout}
          run={run}
          blamed={new Set(slotsToBlame(run, known.plan, graph).map(({ group }) => group))}
          focused={focused}
          onChoose={reveal}
        />
      )}
      {vertex !== undefined && (
        <section class="sheet pad panel" ref={panel} aria-labelledby="panel-title" id="panel">
          <div class="page-head">
            <h2 id="panel-title" tabIndex={-1}>
              {title}
            </h2>
            <span class="spacer" />
            <a class="button quiet" href={hrefTo(undefined)}>
              {runsWords().panel.close}
            </a>
          </div>
          {node === undefined ? (
            <SlotPanel key={vertex.key} group={vertex.key} known={{ ...known, graph }} />
          ) : (
            <NodePanel key={node.id} node={node} known={known} />
          )}
        </section>
      )}
    </>
  );
}

/** Below this width the columns of the graph do not fit side by side. */
const narrow = '(max-width: 900px)';
