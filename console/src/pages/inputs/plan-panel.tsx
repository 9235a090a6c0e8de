import { useRef } from 'preact/hooks';
import { hrefOf } from '../../address/address.ts';
import { useAction } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import type { Resource } from '../../service/resource.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { severityOf } from './slot-notes.ts';
import { type Explained, explainPlan, numberedTitle } from './plan-words.ts';
import type { InputsWords } from './words/words.ts';
import type { LandscapeGaps, LandscapeGraph, LandscapePlan } from '../../service/types.ts';
import { newRequestKey } from '../../service/fetch.ts';
import { post } from '../../service/request.ts';
import type { RunRequest } from '../../service/run-request.ts';

interface PlanPanelProps {
  readonly graph: LandscapeGraph;
  readonly plan: Resource<LandscapePlan>;
  readonly reload: () => void;
  readonly request: RunRequest;
  /** The estimated holes of a run. */
  readonly gaps: Resource<LandscapeGaps | undefined>;
  /** Requests the estimate again. */
  readonly estimate: () => void;
  /** Names of the datasets that the plan mentions, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly words: InputsWords;
}

/** A run's plan in words, and the button that starts it. */
export function PlanPanel(props: PlanPanelProps) {
  const { plan, reload, request, words } = props;
  const { value, failure, isLoading } = plan;
  const { params, overrides, from_stage } = request;
  const body = { params, overrides, from_stage };
  // After a lost answer, a repeated request leads to the run that has begun.
  const begun = useRef({ text: '', key: '' });
  const run = useAction(async () => {
    const text = JSON.stringify(body);
    if (begun.current.text !== text) begun.current = { text, key: newRequestKey() };
    const { id } = await post('/landscape/runs', { body, key: begun.current.key });
    begun.current = { text: '', key: '' };
    location.hash = hrefOf(['landscape', 'runs', id]);
  });
  const isCurrent = value !== undefined && failure === undefined;
  const off = offReason(isCurrent ? value : undefined, words);
  return (
    <section
      class={`sheet pad stack plan-panel ${off === undefined ? 'in-sight' : ''}`}
      aria-labelledby="plan-title"
      aria-busy={isLoading}
    >
      <h2 id="plan-title">{words.plan}</h2>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {isCurrent && (
        <div class="plan-body">
          <PlanInWords {...props} plan={value} />
        </div>
      )}
      {off === undefined && <Holes {...props} />}
      <div class="run-line">
        <button
          type="button"
          class="button primary"
          disabled={off !== undefined || isLoading || run.isRunning}
          aria-describedby={off === undefined ? undefined : 'run-off'}
          onClick={run.run}
        >
          {run.isRunning ? words.running : words.run}
        </button>
        {off !== undefined && (
          <p id="run-off" class="small muted">
            {off} {off === words.mayNotRun && <code>landscape:run</code>}
          </p>
        )}
      </div>
      <p class="wrong" role="alert">
        {run.failure}
      </p>
    </section>
  );
}

/** The reason why a run cannot start; undefined if it can. */
function offReason(plan: LandscapePlan | undefined, words: PlanPanelProps['words']): string | undefined {
  if (!may('landscape:run')) return words.mayNotRun;
  if (plan === undefined) return words.offPlan;
  if (plan.missing.length > 0) return words.offMissing;
  if (unusableIn(plan).length > 0) return words.offUnusable;
  return plan.error === null ? undefined : words.offPlan;
}

function PlanInWords({
  graph,
  plan,
  names,
  words,
}: Pick<PlanPanelProps, 'graph' | 'names' | 'words'> & { readonly plan: LandscapePlan }) {
  const unusable = unusableIn(plan);
  if (plan.missing.length > 0 || unusable.length > 0)
    return (
      <div role="status">
        <Missing {...{ plan, graph, words }} />
        <Blockers text={words.unusable} groups={unusable} graph={graph} />
      </div>
    );
  if (plan.error !== null) return <p role="status">{plan.error}</p>;
  const computed = plan.nodes.filter(({ action }) => action === 'compute').length;
  return (
    <>
      <p class="plan-summary" role="status">
        {words.summary(computed, plan.nodes.length - computed)}
      </p>
      <ul class="plan-reasons">
        {explainPlan(plan, { words, graph, names }).map((group) => (
          <li key={`${group.action} ${group.reason}`} class={group.action}>
            <Reason group={group} words={words} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The groups whose dataset prevents a run; none if everything that follows from them is already computed. */
function unusableIn({ inputs, error }: LandscapePlan): readonly string[] {
  if (error === null) return [];
  return inputs.filter((input) => severityOf(input) === 'stops').map(({ group }) => group);
}

/** A larger number of missing inputs is not listed here: the list of inputs shows the state of each. */
const namedMissing = 3;

/** Links to the rows of the inputs without a raster. */
function Missing({
  plan: { missing },
  graph,
  words,
}: Pick<PlanPanelProps, 'graph' | 'words'> & { readonly plan: Pick<LandscapePlan, 'missing'> }) {
  const [first] = missing;
  if (first === undefined || missing.length <= namedMissing)
    return <Blockers text={words.missing} groups={missing} graph={graph} />;
  return (
    <div class="run-line">
      <p>{words.manyMissing(missing.length)}</p>
      <button type="button" class="button quiet" onClick={() => showSlot(first)}>
        {words.toFirstMissing}
      </button>
    </div>
  );
}

interface BlockersProps {
  readonly text: string;
  readonly groups: readonly string[];
  readonly graph: LandscapeGraph;
}

/** Links to the rows of the inputs that prevent a run. */
function Blockers({ text, groups, graph }: BlockersProps) {
  if (groups.length === 0) return null;
  return (
    <>
      <p>{text}</p>
      <ul class="missing">
        {groups.map((group) => (
          <li key={group}>
            <button type="button" class="button quiet" onClick={() => showSlot(group)}>
              {numberedTitle(group, graph)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The share of the grid that would get no zone. */
function Holes({ gaps, estimate, words }: Pick<PlanPanelProps, 'gaps' | 'estimate' | 'words'>) {
  const { value, failure, isLoading } = gaps;
  if (failure !== undefined)
    return (
      <div class="run-line small muted" role="status">
        <p>{words.holesUnknown}</p>
        <button type="button" class="button" disabled={isLoading} onClick={estimate}>
          {words.estimateAgain}
        </button>
      </div>
    );
  if (value === undefined) return <p class="small muted">{isLoading && words.holesPending}</p>;
  const share = value.without_zone_ha / value.grid_ha;
  return <p class="small">▨ {share > 0 ? words.holes(formatShare(share, language())) : words.noHoles}</p>;
}

/** A longer list of nodes is folded behind its number. */
const shownNodes = 2;

function Reason({ group, words }: { readonly group: Explained; readonly words: PlanPanelProps['words'] }) {
  const { action, reason, nodes } = group;
  const sign = <span aria-hidden="true">{action === 'compute' ? '●' : '↺'} </span>;
  if (nodes.length <= shownNodes)
    return (
      <p>
        {sign}
        <strong>{nodes.join(', ')}</strong>
        <br />
        <span class="small">{reason}</span>
      </p>
    );
  return (
    <details>
      <summary>
        {sign}
        <strong>{words.maps(nodes.length)}</strong>: <span class="small">{reason}</span>
      </summary>
      <ul class="small muted">
        {nodes.map((node) => (
          <li key={node}>{node}</li>
        ))}
      </ul>
    </details>
  );
}

/** Moves to the row of an input, and focuses its first button. */
function showSlot(group: string): void {
  const row = document.querySelector(`[data-slot="${CSS.escape(group)}"]`);
  row?.scrollIntoView({ block: 'center' });
  row?.querySelector('button')?.focus({ preventScroll: true });
}
