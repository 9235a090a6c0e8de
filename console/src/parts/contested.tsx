import './contested.css';
import { Failure, sentenceOf } from './loading.tsx';
import { getCounted, useCounted } from '../service/counted.ts';
import { inLongTurn } from '../service/turns.ts';
import { language, words } from '../words/words.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

/** Nodes that use the order of sectors where several suit equally well: their legends state the area. */
const ordered: ReadonlySet<string> = new Set(['32', '33', zoningCode]);

export const followsOrder = (node: string): boolean => ordered.has(node);

/** The land of a run on which the order, not suitability, chooses the sector, in the words of the service. */
export function Contested({ runId }: { readonly runId: string }) {
  const { contested: text } = words();
  const { value, failure, isCounting, reload } = useCounted(
    `contested ${runId} ${language()}`,
    async (asking) =>
      await inLongTurn(
        asking.signal,
        async () =>
          await getCounted('/landscape/runs/{id}/conflicts', {
            path: { id: runId },
            query: { by: 'all' },
            ...asking,
          }),
      ),
  );
  // A run with pinned maps has no figures, and the service gives the reason.
  if (failure?.status === 409) return <p class="small muted">{sentenceOf(failure)}</p>;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} title={text.failed} />;
  return (
    <p class="contested small" role="status">
      {value !== undefined && (value.chosen_by_order.sentence ?? text.none)}
      {isCounting && <span class="muted">{text.counting}</span>}
    </p>
  );
}
