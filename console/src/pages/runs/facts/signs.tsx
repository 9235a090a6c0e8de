import type { LandscapeWords } from '../../landscape/words/words.ts';
import type { RunRecord } from '../../../service/landscape-types.ts';
import type { NodeState, RunState } from './run-facts.ts';

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

interface Words {
  readonly words: LandscapeWords;
}

/** The state of a node as a sign and a word. */
export function NodeSign({ state, words }: Words & { readonly state: NodeState }) {
  return (
    <span class={`node-state ${state}`}>
      <span aria-hidden="true">{nodeSigns[state]}</span> {words.runs.states[state]}
    </span>
  );
}

/** The status of a run as a sign and a word. */
export function RunSign({ state, words }: Words & { readonly state: RunState }) {
  return (
    <span class={`run-state ${state}`}>
      <span aria-hidden="true">{runSigns[state]}</span> {words.runs.statuses[state]}
    </span>
  );
}

/** The state of a record: draft, proposed, adopted or withdrawn. */
export function RecordState({ state, words }: Words & { readonly state: RunRecord['state'] }) {
  return <span class={`record-state ${state}`}>{words.runs.record.states[state]}</span>;
}
