import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { hrefOf, address } from '../../address/address.ts';
import { Dialog } from '../../parts/dialogs.tsx';
import { useAction } from '../../parts/hooks.ts';
import { isFinal, refusedOf } from '../../service/fetch.ts';
import { may } from '../../service/capabilities.ts';
import { useResource } from '../../service/resource.ts';
import { formatDuration } from '../../../../common/formats/sizes.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { language, words as pageWords } from '../../words/words.ts';
import { DatasetLink } from './facts/dataset-link.tsx';
import { titleOfGroup, valueText, withTitles } from './facts/reasons.ts';
import { settingsHref } from '../../service/run-request.ts';
import {
  changedParams,
  countStates,
  hasEnded,
  lastNodeOf,
  type NodeState,
  runsBefore,
  runStateOf,
  slotsToBlame,
} from './facts/run-facts.ts';
import { RunSign } from './facts/signs.tsx';
import { runsWords } from './words/words.ts';
import type { LandscapeGraph, LandscapeRun } from '../../service/types.ts';
import { get, remove } from '../../service/request.ts';
import type { SeenRun } from './facts/use-run.ts';
import { type RunContext, hrefToSlot } from './graph/node-panel.tsx';

const counted = ['computed', 'reused', 'failed', 'unreached'] as const satisfies readonly NodeState[];

/** The status and the time of a run, and the number of nodes in each state. */
export function RunFacts({ seen }: { readonly seen: SeenRun }) {
  const { run, seenAt } = seen;
  const { counts } = runsWords();
  const states = countStates(run);
  const took = durationOf(run, seenAt);
  return (
    <div class="run-facts">
      <p>
        <span role="status">
          <RunSign state={runStateOf(run)} />
        </span>
        {took !== undefined && <span> · {took}</span>}
        {hasEnded(run) &&
          counted.map((state) =>
            states[state] === 0 ? undefined : (
              <span key={state} class="muted">
                {' · '}
                {counts[state](states[state])}
              </span>
            ),
          )}
        {run.record?.name && <span class="muted"> · {formatMoment(run.created_at, language())}</span>}
      </p>
      {run.status === 'queued' && <Queue run={run} />}
    </div>
  );
}

/** The time between start and end in words; for a run that has not ended, until its last update. */
function durationOf({ started_at: start, finished_at: end }: LandscapeRun, seenAt: number) {
  if (start === null) return undefined;
  const until = end === null ? seenAt : Date.parse(end);
  return formatDuration(until - Date.parse(start), language());
}

/** The number of runs ahead in the queue. */
function Queue({ run }: { readonly run: LandscapeRun }) {
  const { queue } = runsWords();
  // The list is read again with each update of the run.
  const { resource } = useResource(
    'newest runs',
    async (signal) => await get('/landscape/runs', { query: { page_size: 100 }, signal, isBackground: true }),
    useRounds(run),
  );
  const page = resource.value.value;
  if (page === undefined) return undefined;
  const before = runsBefore(run, page.data);
  const isWhole = page.total <= page.data.length || page.data.some(hasEnded);
  if (!isWhole) return <p>{queue.atLeast(before)}</p>;
  return <p>{before === 0 ? queue.next : queue.before(before)}</p>;
}

/** Counts the changes of a value between renderings. */
function useRounds(value: unknown): number {
  const rounds = useRef({ value, count: 0 });
  if (rounds.current.value !== value) rounds.current = { value, count: rounds.current.count + 1 };
  return rounds.current.count;
}

/** Cancels a run that has not ended, after a confirmation. */
export function CancelButton({
  id,
  hasEnded: isOver,
  onEnded,
}: {
  readonly id: string;
  /** True if the run has ended: the button is hidden, but an open confirmation stays. */
  readonly hasEnded: boolean;
  /** Called when the run has ended; `isTooLate` if it ended before the cancellation. */
  readonly onEnded: (isTooLate: boolean) => void;
}) {
  const { cancel } = runsWords();
  const isOpen = useSignal(false);
  const cancelling = useAction(async () => {
    try {
      await remove('/landscape/runs/{id}', { path: { id } });
      onEnded(false);
    } catch (error) {
      const refused = refusedOf(error);
      if (!isFinal(refused) || refused.status !== 409) throw error;
      onEnded(true);
    }
    isOpen.value = false;
  });
  return (
    <>
      {!isOver && (
        <button type="button" class="button danger" onClick={() => void (isOpen.value = true)}>
          {cancel.action}
        </button>
      )}
      {isOpen.value && (
        <Dialog title={cancel.title} onClose={() => void (isOpen.value = false)}>
          <p>{cancel.text}</p>
          <p class="wrong" role="alert">
            {cancelling.failure}
          </p>
          <div class="actions">
            <button
              type="button"
              class="button danger"
              disabled={cancelling.isRunning}
              onClick={cancelling.run}
            >
              {cancel.action}
            </button>
            <button type="button" class="button" onClick={() => void (isOpen.value = false)}>
              {cancel.keep}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface RunProps {
  readonly run: LandscapeRun;
  readonly graph: LandscapeGraph;
}

/** Links to the outputs of the run and to a new run with its settings. */
export function RunLinks({ run, graph }: RunProps) {
  const runs = runsWords();
  const last = lastNodeOf(graph);
  const zoning = run.nodes?.find(({ node_code: code }) => code === last?.code)?.outputs?.[0];
  return (
    <>
      {zoning !== undefined && (
        <a class="button primary" href={hrefOf(['map'], { l: zoning.dataset_id })}>
          {runs.zoningOnMap} ▸
        </a>
      )}
      {run.status === 'succeeded' && (
        <a class="button" href={hrefOf(['landscape', 'runs', run.id, 'judge'])}>
          {runs.judge}
        </a>
      )}
      {run.status === 'succeeded' && (
        <a class="button" href={hrefOf(['landscape', 'compare', run.id])}>
          {runs.compare}
        </a>
      )}
      {run.status === 'succeeded' && (
        <a class="button" href={hrefOf(['connect', 'runs', run.id])}>
          {pageWords().shell.useElsewhere}
        </a>
      )}
      {may('landscape:run') && (
        <a class="button" href={settingsHref(run, graph)}>
          {runs.again}
        </a>
      )}
    </>
  );
}

/** The settings of a run that differ from defaults, in words. */
export function Settings({ run, graph }: RunProps) {
  const { settings } = runsWords();
  const changed = changedParams(run.params, graph);
  const pinned = Object.entries(run.overrides);
  const stage = run.from_stage;
  return (
    <section class="settings" aria-label={settings.title}>
      {changed.length === 0 && <p class="muted">{settings.defaults}</p>}
      <ul class="plain">
        {changed.map(({ param, value }) => (
          <li key={param.name}>
            {param.title}: <strong>{valueText(value, graph)}</strong>{' '}
            <span class="muted">({settings.usual(valueText(param.default, graph))})</span>
          </li>
        ))}
        {stage !== null && <li>{stage === 0 ? settings.fromAll : settings.from(stage)}</li>}
        {pinned.map(([group, id]) => (
          <li key={group}>
            {settings.pinned(titleOfGroup(group, graph))} — <DatasetLink id={id} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A larger number of slots is shown as a list. */
const mostButtons = 2;

/** The reason why a run has failed, with links to its cause. */
export function FailedRun({ known: { run, graph, plan } }: { readonly known: RunContext }) {
  const { failed } = runsWords();
  const hasStored = countStates(run).computed > 0;
  if (runStateOf(run) === 'cancelled')
    return (
      <div class="notice needs-notice" role="alert">
        <h2>{failed.cancelled}</h2>
        {hasStored && <p>{failed.cancelledText}</p>}
      </div>
    );
  const node = run.nodes?.find(({ status }) => status === 'failed');
  const title = graph.nodes.find(({ code }) => code === node?.node_code)?.title;
  const { path, query } = address.value;
  const slots = slotsToBlame(run, plan, graph);
  return (
    <div class="notice failed" role="alert">
      <h2>{failed.title}</h2>
      <p>{withTitles(run.error ?? '', graph)}</p>
      {hasStored && <p>{failed.failedText}</p>}
      {slots.length > mostButtons && (
        <ul class="plain blamed">
          {slots.map(({ group, title: slot }) => (
            <li key={group}>
              <a href={hrefToSlot(group)}>{slot}</a>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        {slots.length <= mostButtons &&
          slots.map(({ group, title: slot }) => (
            <a key={group} class="button primary" href={hrefToSlot(group)}>
              {failed.toSlot(slot)}
            </a>
          ))}
        {slots.length > mostButtons && (
          <a class="button primary" href={hrefOf(['landscape'])}>
            {failed.toSlots}
          </a>
        )}
        {node !== undefined && (
          <a class="button" href={hrefOf(path, { ...Object.fromEntries(query), node: node.node_code })}>
            {failed.toNode(`${node.node_code} ${title ?? ''}`)}
          </a>
        )}
      </div>
    </div>
  );
}
