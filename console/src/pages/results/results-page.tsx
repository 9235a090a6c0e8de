import './results.css';
import { address, hrefOf } from '../../address/address.ts';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import type { LandscapeGraph, LandscapeResult } from '../../service/types.ts';
import { useResource } from '../../service/resource.ts';
import { get } from '../../service/request.ts';
import { changes } from '../../uploads/follow.ts';
import { language } from '../../words/words.ts';
import { lastNodeOf } from '../runs/facts/run-facts.ts';
import { ResultCard } from './result-card.tsx';
import { resultsWords } from './words/words.ts';

/** The newest map of each node by stage, with its figures and its explanation. */
export function ResultsPage() {
  const text = resultsWords();
  useTitle(text.title);
  const graph = useResource(
    `graph ${language()}`,
    async (signal) => await get('/landscape/graph', { signal }),
  );
  const results = useResource(
    'results',
    async (signal) => await get('/landscape/results', { signal }),
    changes.value,
  );
  const [{ value: nodes, failure: noGraph }, { value: found, failure: noResults }] = [
    graph.resource.value,
    results.resource.value,
  ];
  const failure = noGraph ?? noResults;
  const retry = (): void => {
    if (noGraph !== undefined) graph.reload();
    if (noResults !== undefined) results.reload();
  };
  return (
    <div class="results">
      <div class="page-head">
        <h1 tabIndex={-1}>{text.title}</h1>
        <p class="muted">{text.lead}</p>
      </div>
      {failure !== undefined && <Failure failure={failure} retry={retry} />}
      {nodes !== undefined && found !== undefined ? (
        <Loaded graph={nodes} results={found} />
      ) : (
        failure === undefined && <Waiting />
      )}
    </div>
  );
}

interface LoadedProps {
  readonly graph: LandscapeGraph;
  readonly results: readonly LandscapeResult[];
}

function Loaded({ graph, results }: LoadedProps) {
  const text = resultsWords();
  if (results.every(({ latest }) => latest === null))
    return (
      <div class="empty">
        <h2>{text.none}</h2>
        <p>{text.noneText}</p>
        <a class="button primary" href={hrefOf(['landscape'])}>
          {text.toInputs}
        </a>
      </div>
    );
  const stages = [...new Set(graph.nodes.map(({ stage }) => stage))];
  const last = lastNodeOf(graph);
  const wanted = address.value.query.get('node');
  return (
    <>
      <nav class="result-index small" aria-label={text.index}>
        {graph.nodes.map(({ code, title }) => (
          <a
            key={code}
            class={code === last?.code ? 'is-last' : undefined}
            href={hrefOf(['landscape', 'results'], { node: code })}
            aria-current={wanted === code ? 'true' : undefined}
          >
            <span class="code">{code}</span> {title}
          </a>
        ))}
      </nav>
      {stages.map((stage) => (
        <section key={stage} aria-labelledby={`stage-${stage}`}>
          <h2 id={`stage-${stage}`}>{text.stages[stage] ?? text.stage(stage)}</h2>
          <div class="result-cards">
            {graph.nodes
              .filter((node) => node.stage === stage)
              .map((node) => (
                <ResultCard
                  key={node.code}
                  node={node}
                  result={results.find((result) => result.node === node.code)}
                  isOpen={wanted === node.code}
                />
              ))}
          </div>
        </section>
      ))}
    </>
  );
}
