import type { ComponentChildren } from 'preact';
import { hrefOf } from '../../address/address.ts';
import { useAction } from '../../parts/hooks.ts';
import { may } from '../../service/capabilities.ts';
import { isEnd } from '../../service/follow-status.ts';
import type { Dataset } from '../../service/types.ts';
import { type Draft, type Fault, faultOf, mappingOf } from './draft.ts';
import { isOfRemarks } from './measures.ts';
import { count, listed } from './written.ts';
import type { ColumnsWords } from './words/words.ts';
import { post } from '../../service/request.ts';

/** The button that starts the extraction, with the columns that are left out, or with what is missing. */
export function Extracting({
  dataset,
  draft,
  text,
  onDone,
  children,
}: {
  readonly dataset: Dataset;
  readonly text: ColumnsWords;
  readonly draft: Draft;
  readonly onDone: () => void;
  readonly children: ComponentChildren;
}) {
  const fault = faultOf(draft);
  const action = useAction(async () => {
    const path = { id: dataset.id };
    // A failed mapping has to be withdrawn before another one.
    if (dataset.status === 'failed') await post('/datasets/{id}/retry', { path, query: { step: 'mapping' } });
    await post('/datasets/{id}/mapping', { path, body: mappingOf(draft) });
    onDone();
  });
  const names = (dataset.attribute_columns ?? []).map(({ name }) => name);
  const unused = names.filter(
    (name) => name !== draft.kato && !draft.values.has(name) && !isOfRemarks(name, names),
  );
  const isWorking = !isEnd(dataset.status);
  if (!may('data:write')) return <p class="muted">{text.readOnly}</p>;
  return (
    <>
      {unused.length > 0 && (
        <p class="small">
          <span class="muted">{text.unused}:</span> {listed(unused, unused.length, text)}
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class="button primary"
          disabled={fault !== undefined || action.isRunning || isWorking}
          onClick={action.run}
        >
          {text.extract(count(draft.values.size), count(names.length))}
        </button>
        {!isWorking && children}
        {dataset.status === 'ready' && (
          <a class="button" href={hrefOf(['map'], { l: dataset.id })}>
            {text.openMap}
          </a>
        )}
      </div>
      <p role="status" class="small">
        {isWorking ? text.extracting : fault !== undefined && faultText(fault, text)}
      </p>
      <p class="wrong" role="alert">
        {action.failure}
      </p>
    </>
  );
}

function faultText(fault: Fault, { faults }: ColumnsWords): string {
  return fault.code === 'start' || fault.code === 'order'
    ? faults[fault.code](fault.column)
    : faults[fault.code];
}
