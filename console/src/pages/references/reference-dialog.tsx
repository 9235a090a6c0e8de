import { useRef } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { Dialog, fieldsOf, FormActions } from '../../parts/dialogs.tsx';
import { Choice, Field } from '../../parts/fields.tsx';
import { useAction } from '../../parts/hooks.ts';
import { shownGroup } from '../../service/graph-words.ts';
import { listGroups } from '../../service/groups.ts';
import { post } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import { findDestination } from '../../uploads/drop-zone.tsx';
import { words } from '../../words/words.ts';
import { referencesWords } from './words/words.ts';

/** Registers a raster by its address, in the category on the page, and opens its dataset. */
export function ReferenceDialog({ onClose }: { readonly onClose: () => void }) {
  const text = referencesWords();
  const { dataset } = words();
  const form = useRef<HTMLFormElement>(null);
  const { query } = address.value;
  const groups = useResource('groups', listGroups);
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
    <Dialog title={text.title} isLarge onClose={onClose}>
      <p>{text.lead}</p>
      <form
        ref={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          register.run();
        }}
      >
        <Field label={text.address} name="address" value={null} hint={text.addressHint} required />
        <Field label={dataset.name} name="name" value={null} maxLength={255} />
        <Field label={dataset.unit} name="unit" value={null} />
        <div class="pair">
          <Field label={dataset.from} name="start_date" value={null} type="date" />
          <Field label={dataset.to} name="end_date" value={null} type="date" />
        </div>
        {groups.resource.value.value !== undefined && (
          <Choice
            label={dataset.group}
            name="dg_id"
            value={query.get('group') ?? ''}
            options={groups.resource.value.value.map(shownGroup)}
            none={dataset.none}
          />
        )}
        <p class="wrong" role="alert">
          {register.failure?.replace(/^address: /, '')}
        </p>
        <FormActions label={text.add} isDisabled={register.isRunning} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
