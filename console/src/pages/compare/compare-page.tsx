import './compare.css';
import { address, hrefOf } from '../../address/address.ts';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { language } from '../../words/words.ts';
import { type CompareState, readCompareState } from './compare-address.ts';
import { Compared } from './compared.tsx';
import { Pickers } from './pickers.tsx';
import { runsWords } from '../runs/words/words.ts';
import { compareWords, type CompareWords } from './words/words.ts';
import { mapWords } from '../../map/words/words.ts';
import type { LandscapeGraph, LandscapeRun } from '../../service/types.ts';
import { get } from '../../service/request.ts';

/** Compares two runs: the differences, their places, and their areas. */
export function ComparePage() {
  const [, , a, b] = address.value.path;
  return <Loaded a={idOf(a)} b={idOf(b)} words={compareWords()} />;
}

/** A run that is not chosen is a dash in the address, or is missing. */
const idOf = (part: string | undefined): string | undefined =>
  part === undefined || part === '' || part === '-' ? undefined : part.toLowerCase();

interface LoadedProps {
  readonly a: string | undefined;
  readonly b: string | undefined;
  readonly words: CompareWords;
}

function Loaded({ a, b, words }: LoadedProps) {
  useTitle(words.title);
  const graph = useResource(
    `graph ${language()}`,
    async (signal) => await get('/landscape/graph', { signal }),
  );
  const runs = useResource(
    'newest runs',
    async (signal) => await get('/landscape/runs', { query: { page_size: 100 }, signal, isBackground: true }),
  );
  const known = graph.resource.value.value;
  const listed = runs.resource.value.value?.data;
  const failed = [graph, runs].find(({ resource }) => resource.value.failure !== undefined);
  const failure = failed?.resource.value.failure;
  return (
    <section class="compare">
      <p class="small">
        <a href={hrefOf(['landscape', 'runs'])}>‹ {runsWords().back}</a>
      </p>
      <div class="page-head">
        <h1 tabIndex={-1}>{words.title}</h1>
      </div>
      <p class="muted">{words.lead}</p>
      {failure !== undefined && <Failure failure={failure} retry={failed?.reload ?? runs.reload} />}
      {failure === undefined && (known === undefined || listed === undefined) && <Waiting />}
      {known !== undefined && listed !== undefined && (
        <Chosen a={a} b={b} graph={known} runs={listed} words={words} />
      )}
    </section>
  );
}

interface ChosenProps extends LoadedProps {
  readonly graph: LandscapeGraph;
  readonly runs: readonly LandscapeRun[];
}

function Chosen({ a, b, graph, runs, words }: ChosenProps) {
  const locale = mapWords.locale();
  const state = readCompareState(address.value.query);
  const node = nodeOf(state, graph);
  const succeeded = runs.filter(({ status }) => status === 'succeeded');
  if (succeeded.length < 2 && (a === undefined || b === undefined)) return <TooFew words={words} />;
  return (
    <>
      <Pickers a={a} b={b} node={node} graph={graph} runs={succeeded} words={words} />
      {(a === undefined || b === undefined) && <p role="status">{words.choose}</p>}
      {a !== undefined && b !== undefined && (
        <Compared key={`${a} ${b}`} {...{ a, b, node, state, graph, words, locale }} />
      )}
    </>
  );
}

function TooFew({ words }: { readonly words: CompareWords }) {
  return (
    <div class="empty">
      <p>
        <strong>{words.tooFew}</strong>
      </p>
      <p>{words.tooFewText}</p>
      <a class="button primary" href={hrefOf(['landscape'])}>
        {words.toInputs}
      </a>
    </div>
  );
}

/** The node in the address, or the last node of the graph: the functional zoning. */
function nodeOf({ node }: CompareState, { nodes }: LandscapeGraph): string {
  return node ?? nodes.at(-1)?.code ?? '';
}
