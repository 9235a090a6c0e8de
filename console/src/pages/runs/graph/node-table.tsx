import { hrefOf } from '../../../address/address.ts';
import { durationOf, type RunContext } from './node-panel.tsx';
import { reasonOf } from '../facts/reasons.ts';
import { nodeStateOf } from '../facts/run-facts.ts';
import { NodeSign } from '../facts/signs.tsx';
import { runsWords } from '../words/words.ts';

/** The nodes of the run as a table, with the content of the graph. */
export function NodeTable({
  known: { run, graph, plan },
  hrefTo,
}: {
  readonly known: RunContext;
  readonly hrefTo: (code: string) => string;
}) {
  const words = runsWords();
  const { table } = words;
  return (
    <table class="rows nodes">
      <thead>
        <tr>
          <th scope="col">{table.node}</th>
          <th scope="col">{table.state}</th>
          <th scope="col">{table.reason}</th>
          <th scope="col">{table.time}</th>
          <th scope="col">{table.output}</th>
        </tr>
      </thead>
      <tbody>
        {(run.nodes ?? []).map((node) => {
          const { node_code: code, outputs } = node;
          const title = graph.nodes.find((each) => each.code === code)?.title ?? '';
          const planned = plan?.nodes.find((each) => each.node_code === code);
          const [output] = outputs ?? [];
          return (
            <tr key={code} class="row">
              <th scope="row">
                <a href={hrefTo(code)} data-key={code}>
                  {code} {title}
                </a>
              </th>
              <td>
                <NodeSign state={nodeStateOf(node, run)} />
              </td>
              <td>{reasonOf(planned, graph, words)}</td>
              <td>{durationOf(node)}</td>
              <td>
                {output !== undefined && (
                  <a
                    href={hrefOf(['map'], { l: output.dataset_id })}
                    aria-label={table.open(`${code} ${title}`)}
                  >
                    {words.panel.onMap} ▸
                  </a>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
