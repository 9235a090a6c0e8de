import type { ComponentChildren } from 'preact';
import { address, hrefOf } from '../../../address/address.ts';
import type { Refused } from '../../../service/fetch.ts';
import { formatDuration } from '../../../../../common/formats/sizes.ts';
import { language } from '../../../words/words.ts';
import { DatasetLink } from '../facts/dataset-link.tsx';
import { type PlannedNode, titleOfGroup, valueText, whyOf, withTitles } from '../facts/reasons.ts';
import { hasEnded, nodeStateOf, type RunNode } from '../facts/run-facts.ts';
import { NodeSign } from '../facts/signs.tsx';
import { runsWords } from '../words/words.ts';
import type { LandscapeGraph, LandscapePlan, LandscapeRun } from '../../../service/types.ts';

/** The data of a run that the page has loaded. */
export interface RunContext {
  readonly run: LandscapeRun;
  readonly graph: LandscapeGraph;
  /** Undefined until the run has begun and its plan is loaded. */
  readonly plan: LandscapePlan | undefined;
  readonly planFailure: Refused | undefined;
}

/** A node of the run: its state and reason, its inputs and its outputs. */
export function NodePanel({ node, known }: { readonly node: RunNode; readonly known: RunContext }) {
  const { run, graph, plan, planFailure } = known;
  const { panel, why } = runsWords();
  const planned = plan?.nodes.find(({ node_code: code }) => code === node.node_code);
  const fact = graph.nodes.find(({ code }) => code === node.node_code);
  const took = durationOf(node);
  return (
    <>
      <p>
        <NodeSign state={nodeStateOf(node, run)} />
        {took !== undefined && node.status === 'succeeded' && ` ${panel.took(took)}`}
      </p>
      {node.error !== null && <p class="wrong">{withTitles(node.error, graph)}</p>}
      <div class="panel-columns">
        <section>
          <h3>{why.title}</h3>
          {planned === undefined ? (
            <p class="muted">{planFailure === undefined ? why.later : why.away}</p>
          ) : (
            <Why planned={planned} known={known} />
          )}
        </section>
        <section>
          <h3>{panel.reads}</h3>
          <Reads groups={fact?.inputs ?? []} node={node} planned={planned} known={known} />
        </section>
        <section>
          <h3>{panel.output}</h3>
          <Output node={node} known={known} />
          {fact !== undefined && <Legend node={fact} label={panel.legend} />}
        </section>
      </div>
    </>
  );
}

/** Nodes of a pass begin together, so the duration of a node other than the last includes that of others. */
export function durationOf({ started_at: start, finished_at: end, status }: RunNode): string | undefined {
  if (start === null || end === null || status !== 'succeeded') return undefined;
  return formatDuration(Date.parse(end) - Date.parse(start), language());
}

function Why({ planned, known }: { readonly planned: PlannedNode; readonly known: RunContext }) {
  const { run, graph } = known;
  const { why } = runsWords();
  const params = new Map(graph.params.map((param) => [param.name, param.title]));
  return (
    <>
      <p>{whyOf(planned, run.from_stage, runsWords())}</p>
      {(planned.params.length > 0 || planned.inputs.length > 0) && (
        <ul class="plain">
          {planned.params.map(({ name, from, to }) => (
            <li key={name}>
              {params.get(name) ?? name}: {why.change(valueText(from, graph), valueText(to, graph))}
            </li>
          ))}
          {planned.inputs.map(({ group, from, to }) => (
            <li key={group}>
              {titleOfGroup(group, graph)}: <Name id={from} none={why.none} known={known} />
              {' → '}
              <Name id={to} none={why.madeHere} known={known} />
            </li>
          ))}
        </ul>
      )}
      {planned.compared_with !== null && (
        <p class="small muted">
          {why.compared} <a href={hrefOf(['landscape', 'runs', planned.compared_with])}>{why.thatRun}</a>
        </p>
      )}
    </>
  );
}

function Name({
  id,
  none,
  known,
}: {
  readonly id: string | null;
  readonly none: string;
  readonly known: RunContext;
}) {
  return id === null ? <span>{none}</span> : <DatasetLink id={id} name={nameIn(known.plan, id)} />;
}

/** The name of a dataset in the plan. */
function nameIn(plan: LandscapePlan | undefined, id: string): string | undefined {
  const summaries = plan?.inputs.flatMap(({ dataset, waiting }) => [dataset, waiting]) ?? [];
  return summaries.find((summary) => summary?.id === id)?.name;
}

function Reads({
  groups,
  node,
  planned,
  known,
}: {
  readonly groups: readonly string[];
  readonly node: RunNode;
  readonly planned: PlannedNode | undefined;
  readonly known: RunContext;
}) {
  const { graph } = known;
  const { panel } = runsWords();
  const noteOf = (group: string): string | undefined => {
    if (planned === undefined || planned.reason === null || planned.compared_with === null) return undefined;
    return planned.inputs.some((input) => input.group === group) ? panel.changed : panel.before;
  };
  return (
    <ul class="plain">
      {groups.map((group) => {
        const id = node.inputs?.find((input) => input.group === group)?.dataset_id;
        const note = noteOf(group);
        return (
          <li key={group}>
            <VertexLink group={group} graph={graph} />
            {id !== undefined && graph.slots.some((slot) => slot.group === group) && (
              <>
                {': '}
                <DatasetLink id={id} name={nameIn(known.plan, id)} />
              </>
            )}
            {note !== undefined && <span class="small muted"> · {note}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** A link that moves the focus of the graph to a slot or a node. */
function VertexLink({ group, graph }: { readonly group: string; readonly graph: LandscapeGraph }) {
  const node = graph.nodes.find((each) => each.group === group);
  return (
    <a href={hrefToVertex(node?.code ?? group)}>
      {node !== undefined && `${node.code} `}
      {titleOfGroup(group, graph)}
    </a>
  );
}

function hrefToVertex(key: string): string {
  const { path, query } = address.value;
  return hrefOf(path, { ...Object.fromEntries(query), node: key });
}

function Output({ node, known: { run } }: { readonly node: RunNode; readonly known: RunContext }) {
  const { panel } = runsWords();
  const [output] = node.outputs ?? [];
  if (output === undefined)
    return <p class="muted">{hasEnded(run) ? panel.noOutputAtAll : panel.noOutput}</p>;
  return (
    <p class="actions">
      <a class="button" href={hrefOf(['map'], { l: output.dataset_id })}>
        {panel.onMap} ▸
      </a>
      <a class="button" href={hrefOf(['datasets', output.dataset_id])}>
        {panel.dataset} ▸
      </a>
    </p>
  );
}

function Legend({
  node: { legend, reading },
  label,
}: {
  readonly node: LandscapeGraph['nodes'][number];
  readonly label: string;
}) {
  return (
    <details class="small">
      <summary>{label}</summary>
      <p>{reading}</p>
      <ul class="swatches">
        {legend.entries.map(({ value, color, label: text }) => (
          <li key={value}>
            <span class="swatch-box" style={{ background: color }} aria-hidden="true" /> {text}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A slot in the run: its dataset, and the reason for the choice. */
export function SlotPanel({ group, known }: { readonly group: string; readonly known: RunContext }) {
  const { run, graph, plan } = known;
  const { panel } = runsWords();
  const input = plan?.inputs.find((each) => each.group === group);
  const used = run.nodes?.flatMap(({ inputs }) => inputs ?? []).find((each) => each.group === group);
  const id = input?.dataset?.id ?? used?.dataset_id;
  const readers = graph.nodes.filter(({ inputs }) => inputs.includes(group));
  return (
    <div class="panel-columns">
      <section>
        <h3>{panel.data}</h3>
        <SlotData id={id} input={input} known={known} />
        <p class="actions">
          <a class="button" href={hrefToSlot(group)}>
            {panel.toInput} ▸
          </a>
        </p>
      </section>
      <section>
        <h3>{panel.readBy}</h3>
        <ul class="plain">
          {readers.map((reader) => (
            <li key={reader.code}>
              <VertexLink group={reader.group} graph={graph} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** The address of a slot on the page of inputs. */
export const hrefToSlot = (group: string): string => hrefOf(['landscape'], { slot: group });

function SlotData({
  id,
  input,
  known: { run, plan },
}: {
  readonly id: string | undefined;
  readonly input: LandscapePlan['inputs'][number] | undefined;
  readonly known: RunContext;
}): ComponentChildren {
  const { panel } = runsWords();
  if (id === undefined) {
    if (plan === undefined || !hasEnded(run)) return <p class="muted">{panel.noData}</p>;
    return <p class="wrong">{panel.empty}</p>;
  }
  return (
    <>
      <p>
        <DatasetLink id={id} name={input?.dataset?.name} />
      </p>
      {input !== undefined && input.because !== 'none' && (
        <p class="small muted">{panel.because[input.because]}</p>
      )}
      {input !== undefined && input.waiting !== null && (
        <p class="small muted">{panel.waitingData(input.waiting.name)}</p>
      )}
    </>
  );
}
