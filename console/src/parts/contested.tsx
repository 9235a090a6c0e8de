import './contested.css';
import { Failure, sentenceOf } from './loading.tsx';
import { useCounted } from '../service/counted.ts';
import { getContested } from '../service/conflicts.ts';
import { language, words } from '../words/words.ts';

/** On how much land of a run the sector is chosen by the order and not by the land, as the service says it. */
export function Contested({ runId }: { readonly runId: string }) {
  const { contested: text } = words();
  const { value, failure, isCounting, reload } = useCounted(
    `contested ${runId} ${language()}`,
    async (asking) => await getContested(runId, asking),
  );
  // A run with pinned maps has no answer, and the service says why.
  if (failure?.status === 409) return <p class="small muted">{sentenceOf(failure)}</p>;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} title={text.failed} />;
  return (
    <p class="contested small" role="status">
      {value !== undefined && (value.chosen_by_order.sentence ?? text.none)}
      {isCounting && <span class="muted">{text.counting}</span>}
    </p>
  );
}
