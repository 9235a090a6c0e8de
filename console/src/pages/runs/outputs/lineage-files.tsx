import type { ComponentChildren } from 'preact';
import { hrefOf } from '../../../address/address.ts';
import { Failure, Waiting } from '../../../parts/loading.tsx';
import { useResource } from '../../../service/resource.ts';
import type { Lineage } from '../../../service/types.ts';
import { titleOfUser } from '../../../../../common/landscape/lineage.ts';
import { formatDay, formatPeriod } from '../../../../../common/formats/days.ts';
import { language } from '../../../words/words.ts';
import { runsWords } from '../words/words.ts';
import { get } from '../../../service/request.ts';

type Step = Lineage['steps'][number];

/** The source files of a dataset, with their periods and digests. */
export function LineageFiles({
  id,
  text: about = runsWords().lineage.text,
  head,
}: {
  readonly id: string;
  /** A sentence above the files. */
  readonly text?: string;
  /** Content above the sentence, made from the lineage. */
  readonly head?: (lineage: Lineage) => ComponentChildren;
}) {
  const { lineage: text } = runsWords();
  const { resource, reload } = useResource(
    `lineage ${id} ${language()}`,
    async (signal) => await get('/datasets/{id}/lineage', { path: { id }, signal }),
  );
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return <Waiting />;
  const sourceOf = (step: Step, steps: readonly Step[]) => {
    const user = titleOfUser(step, steps);
    return user === undefined ? '–' : <span class="muted">{text.sourceOf(user)}</span>;
  };
  const uploads = value.steps.filter(({ node }) => node === null);
  return (
    <>
      {head?.(value)}
      <p class="muted">{about}</p>
      <table class="rows lineage">
        <thead>
          <tr>
            <th scope="col">{text.slot}</th>
            <th scope="col">{text.file}</th>
            <th scope="col">{text.period}</th>
            <th scope="col">{text.uploaded}</th>
            <th scope="col">{text.digest}</th>
          </tr>
        </thead>
        <tbody>
          {uploads.map((step) => (
            <tr key={step.dataset_id} class="row">
              <th scope="row">{step.title ?? sourceOf(step, value.steps)}</th>
              <td>
                {step.is_deleted ? (
                  <span class="muted">
                    <code>{step.dataset_id}</code> {text.deleted}
                  </span>
                ) : (
                  <a href={hrefOf(['datasets', step.dataset_id])}>{step.filename ?? step.name}</a>
                )}
              </td>
              <td>{formatPeriod(step.start_date, step.end_date, language())}</td>
              <td>{step.created_at !== null && formatDay(step.created_at.slice(0, 10), language())}</td>
              <td>
                {step.sha256 === null ? (
                  <span class="muted">{step.is_deleted ? '' : text.noDigest}</span>
                ) : (
                  <code class="digest">{step.sha256}</code>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
