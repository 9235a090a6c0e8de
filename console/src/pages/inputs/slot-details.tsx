import { useSignal } from '@preact/signals';
import { hrefOf } from '../../address/address.ts';
import { type Changes, FormDialog } from '../../parts/dialogs.tsx';
import { Field } from '../../parts/fields.tsx';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { Status } from '../../parts/signs.tsx';
import { may } from '../../service/capabilities.ts';
import { useResource } from '../../service/resource.ts';
import type {
  DatasetSummary,
  GroupFreshness,
  LandscapeGaps,
  LandscapeGraph,
  LandscapePlan,
  LandscapeSlot,
} from '../../service/types.ts';
import { changes } from '../../uploads/follow.ts';
import { formatDay, formatPeriod } from '../../../../common/formats/days.ts';
import { language, words as shared } from '../../words/words.ts';
import { whyNot } from './slot-notes.ts';
import type { InputsWords } from './words/words.ts';
import { get, patch } from '../../service/request.ts';

export interface SlotProps {
  readonly place: number;
  readonly facts: LandscapeGraph['slots'][number];
  readonly slot: LandscapeSlot;
  /** Undefined without a cadence. */
  readonly freshness: GroupFreshness | undefined;
  /** Undefined until there is a plan. */
  readonly input: LandscapePlan['inputs'][number] | undefined;
  /** Undefined until the holes are estimated. */
  readonly gaps: LandscapeGaps | undefined;
  readonly pinned: string | undefined;
  readonly onPin: (id: string | undefined) => void;
  readonly words: InputsWords;
}

/** The meaning of an input, sources for such data, and its uploads. */
export function SlotDetails(props: SlotProps) {
  const { facts, slot, words } = props;
  const list = useResource(
    slot.group_id,
    async (signal) => await get('/datasets', { query: { dg_id: slot.group_id, page_size: 100 }, signal }),
    changes.value,
  );
  const { value, failure } = list.resource.value;
  return (
    <>
      <dl class="facts small">
        <div>
          <dt>{words.what}</dt>
          <dd>{facts.quantity}</dd>
        </div>
        <div>
          <dt>{words.values}</dt>
          <dd>
            {facts.classes !== null && (
              <ul class="slot-classes">
                {facts.classes.map(({ value, label }) => (
                  <li key={value}>
                    <span class="muted">{value}</span> {label}
                  </li>
                ))}
              </ul>
            )}
            {words.outside} {facts.zero_where_missing && words.zero}
          </dd>
        </div>
        <div>
          <dt>{words.source}</dt>
          <dd>
            {facts.source}. {facts.how}
          </dd>
        </div>
      </dl>
      {failure !== undefined && <Failure failure={failure} retry={list.reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && <Uploads {...props} datasets={value.data} total={value.total} />}
    </>
  );
}

interface Listed {
  readonly datasets: readonly DatasetSummary[];
  readonly total: number;
}

function Uploads(props: SlotProps & Listed) {
  const { facts, input, words, datasets, total } = props;
  const edited = useSignal<DatasetSummary | undefined>(undefined);
  if (datasets.length === 0 && props.pinned === undefined)
    return <p class="small muted">{words.noUploads}</p>;
  return (
    <>
      <Pin {...props} />
      <h4>{words.uploads}</h4>
      <ul class="slot-uploads small">
        {datasets.map((dataset) => (
          <li key={dataset.id}>
            <Upload dataset={dataset} input={input} words={words} />
            {may('data:write') && (
              <button
                type="button"
                class="button quiet"
                aria-label={`${words.setPeriod}: ${dataset.name}`}
                onClick={() => void (edited.value = dataset)}
              >
                {words.setPeriod}
              </button>
            )}
          </li>
        ))}
      </ul>
      {datasets.length < total && <p class="small muted">{words.moreUploads(total)}</p>}
      {edited.value !== undefined && (
        <PeriodDialog
          title={`${facts.title}: ${edited.value.name}`}
          dataset={edited.value}
          onClose={() => void (edited.value = undefined)}
        />
      )}
    </>
  );
}

function Upload({
  dataset,
  input,
  words,
}: Pick<SlotProps, 'input' | 'words'> & { readonly dataset: DatasetSummary }) {
  const { id, name, status, start_date: start, end_date: end, created_at: created } = dataset;
  const not = whyNot(dataset, input);
  const isTaken = input?.dataset?.id === id;
  return (
    <p>
      <a href={hrefOf(['datasets', id])}>{name}</a> · {formatPeriod(start, end, language()) ?? words.noPeriod}{' '}
      · <span class="muted">{words.uploaded(formatDay(created.slice(0, 10), language()))}</span>{' '}
      {status !== 'ready' && <Status status={status} />}{' '}
      {isTaken && (
        <strong class="status ready">
          ✓ {words.taken} {words.because[input.because]}
        </strong>
      )}
      {not !== undefined && <span class="muted">{words.notTaken[not]}</span>}
    </p>
  );
}

/** Chooses the dataset that a run uses: the newest one, or a pinned one. */
function Pin({ facts, input, pinned, onPin, words, datasets }: SlotProps & Listed) {
  const options = datasets.filter(({ status, file_type: type }) => status === 'ready' && type === 'raster');
  const isOffered = pinned === undefined || options.some(({ id }) => id === pinned);
  return (
    <label class="field slot-pin">
      <span>{words.take}</span>
      <select
        aria-label={`${words.take}: ${facts.title}`}
        value={pinned ?? ''}
        onChange={({ currentTarget: { value } }) => onPin(value === '' ? undefined : value)}
      >
        <option value="">{words.freshest}</option>
        {!isOffered && <option value={pinned}>{input?.dataset?.name ?? pinned}</option>}
        {options.map(({ id, name, start_date: start, end_date: end }) => (
          <option key={id} value={id}>
            {name}, {formatPeriod(start, end, language()) ?? words.noPeriod}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The name and period of an upload: the end date decides which one is the newest. */
function PeriodDialog({
  title,
  dataset,
  onClose,
}: {
  readonly title: string;
  readonly dataset: DatasetSummary;
  readonly onClose: () => void;
}) {
  const { dataset: text } = shared();
  const save = async (changed: Changes): Promise<void> => {
    const body = Object.entries(changed).map(([field, value]) => [
      field,
      value === '' && field !== 'name' ? null : value,
    ]);
    await patch('/datasets/{id}', { path: { id: dataset.id }, body: Object.fromEntries(body) });
    changes.value += 1;
  };
  return (
    <FormDialog title={title} save={save} onClose={onClose}>
      <Field label={text.name} name="name" value={dataset.name} maxLength={255} required />
      <div class="pair">
        <Field label={text.from} name="start_date" value={dataset.start_date} type="date" />
        <Field label={text.to} name="end_date" value={dataset.end_date} type="date" />
      </div>
    </FormDialog>
  );
}
