import { useRef } from 'preact/hooks';
import { replaceQuery } from '../../../address/address.ts';
import {
  type Edge,
  type GraphLayout,
  heightsOf,
  nearnessTo,
  neighbourOf,
  type Vertex,
} from './graph-layout.ts';
import { nodeStateOf } from '../facts/run-facts.ts';
import { NodeSign } from '../facts/signs.tsx';
import { runsWords } from '../words/words.ts';
import type { LandscapeRun } from '../../../service/types.ts';

/** Width of a column and of its box, in units of the drawing. */
const columnWidth = 100;
const boxWidth = 85;
const height = 100;

interface GraphProps {
  readonly layout: GraphLayout;
  readonly run: LandscapeRun;
  /** Groups of the slots that caused a failure. */
  readonly blamed: ReadonlySet<string>;
  /** Key of the vertex in focus. */
  readonly focused: string | undefined;
  /** Called when a vertex is chosen, but not when the focus passes it. */
  readonly onChoose: () => void;
}

/** The graph: columns of buttons over faint edges; the edges of the focused vertex are bold. */
export function GraphView({ layout, run, blamed, focused, onChoose }: GraphProps) {
  const { view } = runsWords();
  const box = useRef<HTMLDivElement>(null);
  const nearness = nearnessTo(focused, layout);
  const entry = focused !== undefined && layout.vertices.has(focused) ? focused : layout.columns[0]?.[0];
  const onKeyDown = (event: KeyboardEvent, key: string): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') replaceQuery({ node: undefined });
    const next = neighbourOf(key, event.key, layout);
    if (next === undefined) return;
    event.preventDefault();
    replaceQuery({ node: next });
    box.current?.querySelector<HTMLElement>(`[data-key="${next}"]`)?.focus();
  };
  return (
    <>
      <div class="run-graph" ref={box} role="group" aria-label={view.graphLabel}>
        <div class="graph-heads small muted" aria-hidden="true">
          {layout.columns.map((_, depth) => (
            <span key={depth}>{depth === 0 ? view.inputs : view.depth(depth)}</span>
          ))}
        </div>
        <div class="graph-body">
          <Edges layout={layout} focused={nearness === undefined ? undefined : focused} />
          {layout.columns.map((column, depth) => (
            <ol key={depth} aria-label={depth === 0 ? view.inputs : view.depth(depth)}>
              {column.map((key) => {
                const vertex = layout.vertices.get(key);
                return vertex === undefined ? undefined : (
                  <li key={key}>
                    <button
                      type="button"
                      data-key={key}
                      class={`vertex ${stateClass(vertex, run, blamed)} ${nearness?.get(key) ?? ''}`}
                      aria-pressed={key === focused}
                      tabIndex={key === entry ? 0 : -1}
                      onKeyDown={(event) => onKeyDown(event, key)}
                      onClick={() => {
                        replaceQuery({ node: key });
                        onChoose();
                      }}
                    >
                      <VertexFace vertex={vertex} run={run} isBlamed={blamed.has(key)} />
                    </button>
                  </li>
                );
              })}
            </ol>
          ))}
        </div>
      </div>
      <p class="small muted keys">{view.keys}</p>
    </>
  );
}

function stateClass({ key, isSlot }: Vertex, run: LandscapeRun, blamed: ReadonlySet<string>): string {
  const node = run.nodes?.find(({ node_code: code }) => code === key);
  if (isSlot || node === undefined) return blamed.has(key) ? 'is-slot failed' : 'is-slot';
  return nodeStateOf(node, run);
}

function VertexFace({
  vertex: { key, title, isSlot },
  run,
  isBlamed,
}: {
  readonly vertex: Vertex;
  readonly run: LandscapeRun;
  readonly isBlamed: boolean;
}) {
  const node = run.nodes?.find(({ node_code: code }) => code === key);
  if (isSlot || node === undefined)
    return (
      <span class="vertex-title" title={title}>
        {isBlamed && (
          <>
            <span class="wrong" aria-hidden="true">
              ✕
            </span>
            <span class="visually-hidden">{runsWords().view.blamed}</span>{' '}
          </>
        )}
        {title}
      </span>
    );
  return (
    <>
      <span class="vertex-head">
        <NodeSign state={nodeStateOf(node, run)} /> <span class="vertex-code">{key}</span>
      </span>
      <span class="vertex-title" title={title}>
        {title}
      </span>
    </>
  );
}

/** The edges below the buttons. They are hidden from screen readers, since the buttons convey the same. */
function Edges({ layout, focused }: { readonly layout: GraphLayout; readonly focused: string | undefined }) {
  const heights = heightsOf(layout.columns);
  const isNear = ({ from, to }: Edge): boolean => from === focused || to === focused;
  // The edges in focus are drawn above the others.
  const edges = layout.edges.toSorted((one, other) => Number(isNear(one)) - Number(isNear(other)));
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${columnWidth * layout.columns.length} ${height}`}
      preserveAspectRatio="none"
      class={focused === undefined ? '' : 'has-focus'}
    >
      {edges.map((edge) => (
        <path
          key={`${edge.from} ${edge.to}`}
          class={isNear(edge) ? 'near' : ''}
          d={pathOf(edge, layout, heights)}
        />
      ))}
    </svg>
  );
}

function pathOf({ from, to }: Edge, { vertices }: GraphLayout, heights: ReadonlyMap<string, number>): string {
  const [start, end] = [vertices.get(from)?.depth ?? 0, vertices.get(to)?.depth ?? 0];
  const [x1, x2] = [start * columnWidth + boxWidth, end * columnWidth];
  const [y1, y2] = [from, to].map((key) => ((heights.get(key) ?? 0) * height).toFixed(2));
  const bend = (x2 - x1) / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
