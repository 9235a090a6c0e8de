import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatPeriod } from '../../../../common/formats/days.ts';
import { address, hrefOf } from '../../address/address.ts';
import { fieldsOf, FormActions } from '../../parts/dialogs.tsx';
import { Choice, Field } from '../../parts/fields.tsx';
import { useAction } from '../../parts/hooks.ts';
import { Failure } from '../../parts/loading.tsx';
import { get, post, type Posts } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import { findDestination } from '../../uploads/drop-zone.tsx';
import { language, words } from '../../words/words.ts';
import { GroupChoice, useUploadGroups } from './group-choice.tsx';
import { referencesWords } from './words/words.ts';

type Look = Posts['/datasets/references/stac/look']['answer'];

/** While items are registered, their number is read again after this time. */
const againAfterMs = 2000;

/** Registers a file of each item of a STAC collection in a group: a look at the address, the choice, and the progress. */
export function StacForm({ onClose }: { readonly onClose: () => void }) {
  const text = referencesWords();
  const { dataset } = words();
  const form = useRef<HTMLFormElement>(null);
  const { query } = address.value;
  const groups = useUploadGroups();
  const found = useSignal<{ readonly place: string; readonly look: Look } | undefined>(undefined);
  const started = useSignal<string | undefined>(undefined);
  const lang = { lang: language() };
  const look = useAction(async () => {
    const place = (fieldsOf(form.current).get('address') ?? '').trim();
    found.value = undefined;
    const answer = await post('/datasets/references/stac/look', { body: { address: place }, query: lang });
    found.value = { place, look: answer };
  });
  const register = useAction(async () => {
    const fields = fieldsOf(form.current);
    const unit = fields.get('unit') ?? '';
    const { categoryId = '' } = await findDestination(query.get('category'));
    const { id } = await post('/datasets/references/stac', {
      body: {
        address: found.value?.place ?? '',
        asset: fields.get('asset') ?? '',
        category_id: categoryId,
        dg_id: fields.get('dg_id') ?? '',
        ...(unit === '' ? {} : { unit }),
      },
      query: lang,
    });
    started.value = id;
  });
  if (started.value !== undefined) return <Progress id={started.value} onClose={onClose} />;
  const usable = found.value?.look.assets.filter(({ refusal }) => refusal === null) ?? [];
  const isReady = usable.length > 0;
  const failure = look.failure ?? register.failure;
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        // Another address is looked at first.
        const place = (fieldsOf(form.current).get('address') ?? '').trim();
        if (isReady && place === found.value?.place) register.run();
        else look.run();
      }}
    >
      <p>{text.stacLead}</p>
      <Field label={text.address} name="address" value={null} hint={text.stacHint} required />
      {found.value !== undefined && <Found look={found.value.look} />}
      {isReady && (
        <>
          <Choice
            label={text.asset}
            name="asset"
            value={usable[0]?.key ?? ''}
            options={usable.map(({ key, title }) => ({
              id: key,
              name: title === null || title === key ? key : `${title} (${key})`,
            }))}
          />
          <GroupChoice groups={groups} />
          <Field label={dataset.unit} name="unit" value={null} />
        </>
      )}
      <p class="wrong" role="alert">
        {failure?.replace(/^address: /, '')}
      </p>
      <FormActions
        label={isReady ? text.registerAll : text.look}
        isDisabled={look.isRunning || register.isRunning}
        onCancel={onClose}
      />
    </form>
  );
}

/** The items of an address, and what cannot be read. */
function Found({ look: { title, items, assets, refused, complete: isComplete } }: { readonly look: Look }) {
  const text = referencesWords();
  const days = items.flatMap(({ start_date: start, end_date: end }) => [start ?? [], end ?? []].flat());
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  const reasons = [...assets.flatMap(({ refusal }) => refusal ?? []), ...refused.map(({ reason }) => reason)];
  return (
    <div role="status" class="stack">
      <p>
        {title !== null && <strong>{title}: </strong>}
        {isComplete ? text.items(items.length) : text.firstItems(items.length)}
        {first !== undefined && last !== undefined && `, ${formatPeriod(first, last, language())}`}
      </p>
      {assets.length === 0 && <p class="wrong">{text.noFiles}</p>}
      {[...new Set(reasons)].map((reason) => (
        <p key={reason} class="wrong">
          {reason}
        </p>
      ))}
    </div>
  );
}

/** The items that are registered so far, and each one that could not be. */
function Progress({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const text = referencesWords();
  const { resource, reload } = useResource(
    `stac ${id} ${language()}`,
    async (signal) =>
      await get('/datasets/references/stac/{id}', { path: { id }, query: { lang: language() }, signal }),
  );
  const { value, failure } = resource.value;
  useEffect(() => {
    if (value?.state !== 'pending') return undefined;
    const timer = setTimeout(reload, againAfterMs);
    return () => clearTimeout(timer);
  }, [value]);
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return null;
  const { state, registered, refused, complete: isComplete } = value;
  return (
    <div class="stack">
      <p role="status">
        {state === 'pending' ? text.registering(registered.length) : text.registered(registered.length)}
      </p>
      {value.failure !== null && <p class="wrong">{value.failure}</p>}
      {!isComplete && <p class="wrong">{text.notAll}</p>}
      {registered.length > 0 && (
        <ul class="entries" style={{ maxHeight: '12rem', overflow: 'auto' }}>
          {registered.map(({ item, dataset_id: dataset }) => (
            <li key={item + dataset}>
              <a href={hrefOf(['datasets', dataset])} onClick={onClose}>
                {item}
              </a>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <>
          <h3>{text.notRegistered(refused.length)}</h3>
          <ul class="entries" style={{ maxHeight: '12rem', overflow: 'auto' }}>
            {refused.map(({ item, reason }, index) => (
              <li key={index} style={{ overflowWrap: 'anywhere' }}>
                {item} <span class="small muted">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="actions">
        <button type="button" class="button primary" onClick={onClose}>
          {words().shell.close}
        </button>
      </div>
    </div>
  );
}
