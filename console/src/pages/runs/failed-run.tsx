import { address, hrefOf } from '../../address/address.ts';
import { type Known, hrefToSlot } from './graph/node-panel.tsx';
import { withTitles } from './facts/reasons.ts';
import { countStates, runStateOf, slotsToBlame } from './facts/run-facts.ts';
import { runsWords } from './words/words.ts';

/** More slots than that are a list. */
const mostButtons = 2;

/** Why a run has failed, and the way to what is to blame. */
export function FailedRun({ known: { run, graph, plan } }: { readonly known: Known }) {
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
