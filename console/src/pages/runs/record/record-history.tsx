import { Failure, Waiting } from '../../../parts/loading.tsx';
import { useResource } from '../../../service/resource.ts';
import { formatMoment } from '../../../../../common/formats/days.ts';
import { language } from '../../../words/words.ts';
import { differencesOf, type RecordContent } from './record-content.ts';
import { runsWords } from '../words/words.ts';
import type { RunRecord } from '../../../service/types.ts';
import { get } from '../../../service/request.ts';

interface Words {}

/** Every change of a record, newest first; earlier content is kept. */
export function RecordHistory({ id, revision }: Words & { readonly id: string; readonly revision: number }) {
  const { record: text } = runsWords();
  const { resource, reload } = useResource(
    `history ${id} ${revision}`,
    async (signal) =>
      await get('/landscape/runs/{id}/record/history', { path: { id }, query: { page_size: 100 }, signal }),
  );
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return <Waiting />;
  if (value.data.length === 0) return <p class="muted">{text.noHistory}</p>;
  return (
    <>
      <p class="small muted">
        {text.historyText} {value.total > value.data.length && text.newest(value.data.length, value.total)}
      </p>
      <ol class="history" reversed>
        {value.data.map((change) => (
          <li key={change.revision}>
            <p class="small muted">
              <WhoAndWhen entry={change} />
            </p>
            <ContentFacts
              content={change.to}
              before={change.from}
              parts={differencesOf(change.from, change.to)}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The author and time of a change. */
export function WhoAndWhen({
  entry: { changed_at: when, changed_by: who },
}: Words & { readonly entry: Pick<RunRecord, 'changed_at' | 'changed_by'> }) {
  const parts = [
    when === null ? undefined : formatMoment(when, language()),
    who === null ? undefined : runsWords().record.by(who),
  ];
  return <>{parts.filter((part) => part !== undefined).join(' · ')}</>;
}

/** The content of a record or some parts of it, each with its previous value. */
export function ContentFacts({
  content,
  before,
  parts = ['name', 'note', 'state', 'basis'],
}: Words & {
  readonly content: RecordContent;
  readonly before?: RecordContent;
  readonly parts?: readonly (keyof RecordContent)[];
}) {
  const { record: text } = runsWords();
  const textOf = (of: RecordContent, part: keyof RecordContent): string =>
    part === 'state' ? text.states[of.state] : (of[part] ?? text.empty);
  return (
    <dl class="facts">
      {parts.map((part) => (
        <div key={part}>
          <dt>{text[part]}</dt>
          <dd>
            {before !== undefined && <del class="muted">{textOf(before, part)}</del>}
            {before !== undefined && ' → '}
            {textOf(content, part)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
