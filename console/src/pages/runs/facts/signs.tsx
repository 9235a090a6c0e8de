import type { NodeState, RunState } from './run-facts.ts';
import { runsWords } from '../words/words.ts';
import type { RunRecord } from '../../../service/types.ts';

const nodeSigns = {
  computed: '✓',
  reused: '↺',
  running: '◐',
  waiting: '○',
  failed: '✕',
  unreached: '–',
} as const satisfies Record<NodeState, string>;

const runSigns = {
  queued: '○',
  running: '◐',
  succeeded: '✓',
  failed: '✕',
  cancelled: '–',
} as const satisfies Record<RunState, string>;

/** The state of a node as a sign and a word. */
export function NodeSign({ state }: { readonly state: NodeState }) {
  return (
    <span class={`node-state ${state}`}>
      <span aria-hidden="true">{nodeSigns[state]}</span> {runsWords().states[state]}
    </span>
  );
}

/** The status of a run as a sign and a word. */
export function RunSign({ state }: { readonly state: RunState }) {
  return (
    <span class={`run-state ${state}`}>
      <span aria-hidden="true">{runSigns[state]}</span> {runsWords().statuses[state]}
    </span>
  );
}

/** The state of a record: draft, proposed, adopted or withdrawn. */
export function RecordState({ state }: { readonly state: RunRecord['state'] }) {
  return <span class={`record-state ${state}`}>{runsWords().record.states[state]}</span>;
}
