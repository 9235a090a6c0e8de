import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { Dialog, fieldsOf, FormActions } from '../../parts/dialogs.tsx';
import { Field } from '../../parts/fields.tsx';
import { useAction } from '../../parts/hooks.ts';
import { post } from '../../service/request.ts';
import { findDestination } from '../../uploads/drop-zone.tsx';
import { words } from '../../words/words.ts';
import { GroupChoice, useUploadGroups } from './group-choice.tsx';
import { StacForm } from './stac-form.tsx';
import { referencesWords } from './words/words.ts';

/** Registers a file by its address, or the files of STAC items, in the category on the page. */
export function ReferenceDialog({ onClose }: { readonly onClose: () => void }) {
  const text = referencesWords();
  const kind = useSignal<'file' | 'stac'>('file');
  return (
    <Dialog title={text.title} isLarge onClose={onClose}>
      <div class="actions" role="group" aria-label={text.kind}>
        {(['file', 'stac'] as const).map((each) => (
          <button
            key={each}
            type="button"
            class={kind.value === each ? 'button primary' : 'button'}
            aria-pressed={kind.value === each}
            onClick={() => void (kind.value = each)}
          >
            {text.kinds[each]}
          </button>
        ))}
      </div>
      {kind.value === 'file' ? <FileForm onClose={onClose} /> : <StacForm onClose={onClose} />}
    </Dialog>
  );
}

/** Registers one file, and opens its dataset. */
function FileForm({ onClose }: { readonly onClose: () => void }) {
  const text = referencesWords();
  const { dataset } = words();
  const form = useRef<HTMLFormElement>(null);
  const { query } = address.value;
  const groups = useUploadGroups();
  const register = useAction(async () => {
    const filled = [...fieldsOf(form.current)].filter(([, value]) => value.trim() !== '');
    const { address: place = '', ...fields } = Object.fromEntries(filled);
    const { categoryId = '' } = await findDestination(query.get('category'));
    const body = { ...fields, address: place.trim(), category_id: categoryId };
    const { id } = await post('/datasets/references', { body });
    onClose();
    location.hash = hrefOf(['datasets', id]);
  });
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        register.run();
      }}
    >
      <p>{text.lead}</p>
      <Field label={text.address} name="address" value={null} hint={text.addressHint} required />
      <Field label={dataset.name} name="name" value={null} maxLength={255} />
      <Field label={dataset.unit} name="unit" value={null} />
      <div class="pair">
        <Field label={dataset.from} name="start_date" value={null} type="date" />
        <Field label={dataset.to} name="end_date" value={null} type="date" />
      </div>
      <GroupChoice groups={groups} none={dataset.none} />
      <p class="wrong" role="alert">
        {register.failure?.replace(/^address: /, '')}
      </p>
      <FormActions label={text.add} isDisabled={register.isRunning} onCancel={onClose} />
    </form>
  );
}
