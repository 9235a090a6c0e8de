import { hrefOf } from '../../../address/address.ts';
import { Failure } from '../../../parts/loading.tsx';
import { useResource } from '../../../service/resource.ts';
import { language } from '../../../words/words.ts';
import { isNewsOfRuns, useEvents } from '../facts/use-run.ts';
import { watchWords } from './words/words.ts';
import { get } from '../../../service/request.ts';

/** The draft of the watch that nothing has been said of yet. */
export function DraftBanner() {
  const text = watchWords();
  const { resource, reload } = useResource(
    `watch ${language()}`,
    async (signal) => await get('/landscape/watch', { signal }),
  );
  useEvents(reload, { isWanted: true, isAbout: isNewsOfRuns, key: '' });
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  const last = value?.last ?? undefined;
  if (value === undefined || last?.record_state !== 'draft' || last.status !== 'succeeded') return undefined;
  const { adopted_run_id: adopted } = value;
  return (
    <div class="notice waits" role="status">
      <p>
        <span aria-hidden="true">◔</span> {text.waitsFor}{' '}
        <a href={hrefOf(['landscape', 'runs', last.run_id])}>{last.name ?? last.run_id}</a>
      </p>
      {last.comparison !== null && adopted !== null && (
        <a class="button" href={hrefOf(['landscape', 'compare', adopted, last.run_id])}>
          {text.compare}
        </a>
      )}
    </div>
  );
}
