import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { language } from '../../words/words.ts';
import { differencesOf } from '../runs/facts/run-differences.ts';
import { runsWords } from '../runs/words/words.ts';
import type { CompareWords } from './words/words.ts';
import type { LandscapeGraph, LandscapeRun } from '../../service/types.ts';

interface PickersProps {
  readonly a: string | undefined;
  readonly b: string | undefined;
  /** Code of the node whose maps are compared. */
  readonly node: string;
  readonly graph: LandscapeGraph;
  /** The successful runs, newest first. */
  readonly runs: readonly LandscapeRun[];
  readonly words: CompareWords;
}

/** Chooses the two runs and the map, and records the choice in the address. */
export function Pickers({ a, b, node, graph, runs, words }: PickersProps) {
  const go = (first: string | undefined, second: string | undefined): void => {
    const { query } = address.peek();
    // The choices for one pair of runs do not apply to another, except the map and the units.
    const kept = { node: query.get('node') ?? undefined, by: query.get('by') ?? undefined };
    const ids =
      first === undefined ? [none, second ?? none] : [first, ...(second === undefined ? [] : [second])];
    location.hash = hrefOf(['landscape', 'compare', ...ids], kept);
  };
  return (
    <div class="pickers sheet pad">
      <RunChoice label={words.run.a} value={a} {...{ runs, graph, words }} onChoose={(id) => go(id, b)} />
      <button
        type="button"
        class="button swap"
        disabled={a === undefined || b === undefined}
        onClick={() => go(b, a)}
      >
        <span aria-hidden="true">⇄</span>
        <span class="visually-hidden">{words.swap}</span>
      </button>
      <RunChoice label={words.run.b} value={b} {...{ runs, graph, words }} onChoose={(id) => go(a, id)} />
      <label class="field">
        <span>{words.map}</span>
        <select
          value={node}
          onChange={({ currentTarget: { value } }) =>
            replaceQuery({ node: value, change: undefined, left: undefined, right: undefined })
          }
        >
          {graph.nodes
            .filter(({ code, legend }) => legend.kind === 'values' || code === node)
            .map(({ code, title }) => (
              <option key={code} value={code} selected={code === node}>
                {title}
              </option>
            ))}
        </select>
      </label>
    </div>
  );
}

/** Represents a run that is not chosen yet in an address that names the second run. */
const none = '-';

interface RunChoiceProps extends Pick<PickersProps, 'runs' | 'graph' | 'words'> {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChoose: (id: string) => void;
}

function RunChoice({ label, value, runs, graph, words, onChoose }: RunChoiceProps) {
  const listed = runs.map((run, index) => ({ run, differs: differencesIn(run, runs[index + 1], graph) }));
  const chosen = listed.find(({ run }) => run.id === value);
  return (
    <div>
      <label class="field">
        <span>{label}</span>
        <select value={value ?? ''} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          {value === undefined && (
            <option value="" disabled selected>
              {words.none}
            </option>
          )}
          {/* A run older than the listed ones. */}
          {value !== undefined && chosen === undefined && (
            <option value={value} selected>
              {value.slice(0, 8)}
            </option>
          )}
          {listed.map(({ run, differs }) => (
            <option key={run.id} value={run.id} selected={run.id === value}>
              {[nameOfRun(run), ...differs].join(' · ')}
            </option>
          ))}
        </select>
      </label>
      {/* The text does not fit into the field. */}
      <p class="small muted">{chosen?.differs.join(' · ')}</p>
    </div>
  );
}

function differencesIn(
  run: LandscapeRun,
  before: LandscapeRun | undefined,
  graph: LandscapeGraph,
): readonly string[] {
  return differencesOf(run, { graph, before, words: runsWords() });
}

/** The name of a run, its time, and the state of its record unless it is a draft, as most are. */
function nameOfRun({ created_at: moment, record }: LandscapeRun): string {
  const state = record?.state ?? 'draft';
  const stateText = state === 'draft' ? undefined : runsWords().record.states[state];
  const known = [record?.name, formatMoment(moment, language()), stateText];
  return known.filter((part) => part !== null && part !== undefined).join(' · ');
}
