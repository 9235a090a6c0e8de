import { useSignal } from '@preact/signals';
import { FormDialog, type Changes } from '../../parts/dialogs.tsx';
import { Choice, Field } from '../../parts/fields.tsx';
import { Failure } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { useResource } from '../../service/resource.ts';
import { language, words as shared } from '../../words/words.ts';
import type { ConnectWords } from './words/words.ts';
import type { DatasetMetadata } from '../../service/types.ts';
import { get, put } from '../../service/request.ts';

interface MissingProps {
  readonly id: string;
  readonly words: ConnectWords;
}

/** The elements that the metadata record of a dataset lacks, with a form to add them. */
export function MissingMetadata({ id, words }: MissingProps) {
  const { missing: text } = words;
  const isOpen = useSignal(false);
  const path = { id };
  const { resource, reload } = useResource(
    `metadata ${id} ${language()}`,
    async (signal) => await get('/datasets/{id}/metadata', { path, signal }),
  );
  const { value, failure } = resource.value;
  const close = (): void => void (isOpen.value = false);
  return (
    <div class="stack">
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.failed} />}
      {value?.missing.length === 0 && <p>✓ {text.none}</p>}
      {value !== undefined && value.missing.length > 0 && (
        <details open={!value.is_complete}>
          <summary>
            {text.title} · {value.missing.length}
          </summary>
          <ul class="connect-missing">
            {value.missing.map(({ element, level, message }) => (
              <li key={element}>
                {message}
                {level === 'recommended' && <span class="muted"> ({text.recommended})</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
      {value !== undefined && may('data:write') && (
        <p>
          <button type="button" class="button" onClick={() => void (isOpen.value = true)}>
            {text.edit}
          </button>
        </p>
      )}
      {value !== undefined && isOpen.value && (
        <MetadataDialog
          fields={value.fields}
          words={words}
          onClose={close}
          save={async (changes) => {
            await put('/datasets/{id}/metadata', { path, body: bodyOf(value.fields, changes) });
            close();
            reload();
          }}
        />
      )}
    </div>
  );
}

type Fields = DatasetMetadata['fields'];

interface DialogProps {
  readonly fields: Fields;
  readonly words: ConnectWords;
  readonly save: (changes: Changes) => Promise<void>;
  readonly onClose: () => void;
}

function MetadataDialog({ fields, words, save, onClose }: DialogProps) {
  const { missing: text, topics } = words;
  const { origin } = shared();
  const options = Object.entries(topics).map(([id, name]) => ({ id, name }));
  const { scale_denominator: scale } = fields;
  return (
    <FormDialog title={text.edit} isLoading={false} save={save} onClose={onClose}>
      <Field label={text.organisation} name="organisation" value={fields.organisation} maxLength={255} />
      <Field label={text.email} name="email" value={fields.email} maxLength={255} />
      <Field label={text.licence} name="licence" value={fields.licence} />
      <Choice
        label={text.topic}
        name="topic_category"
        value={fields.topic_category ?? ''}
        options={options}
        none={text.noTopic}
      />
      <Choice
        label={origin.title}
        name="origin"
        value={fields.origin ?? ''}
        options={(['measured', 'derived', 'invented'] as const).map((id) => ({ id, name: origin[id] }))}
        none={text.noOrigin}
      />
      <Field label={text.lineage} name="lineage" value={fields.lineage} isLong />
      <Field label={text.purpose} name="purpose" value={fields.purpose} isLong />
      <div class="pair">
        <Field
          label={text.scale}
          name="scale_denominator"
          value={scale === null ? '' : String(scale)}
          pattern="[0-9]*"
        />
        <Field label={text.keywords} name="keywords" value={fields.keywords.join(', ')} />
      </div>
    </FormDialog>
  );
}

/** All fields with the changes applied, since the body replaces the stored values. An empty field is cleared. */
function bodyOf(before: Fields, changes: Changes): object {
  const { scale_denominator: scale, keywords, ...texts } = changes;
  const cleared = Object.entries(texts).map(([name, value]) => [name, value === '' ? null : value]);
  return {
    ...before,
    ...Object.fromEntries(cleared),
    ...(scale !== undefined && { scale_denominator: scale === '' ? null : Number(scale) }),
    ...(keywords !== undefined && {
      keywords: keywords
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    }),
  };
}
