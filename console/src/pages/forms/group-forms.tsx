import './forms.css';
import { useSignal } from '@preact/signals';
import exampleUrl from '../../../../examples/forms/land-balance.xlsx?url';
import { formatBytes } from '../../../../common/formats/sizes.ts';
import { ChangeDialog } from '../../parts/dialogs.tsx';
import { FileLink } from '../../parts/file-link.tsx';
import { useAction } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { fetchFromService, refusalOf } from '../../service/fetch.ts';
import { get, pathTo, remove } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { FormTemplate } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { FillForm } from './fill-form.tsx';
import { formsWords } from './words/words.ts';

const uploadTimeoutMs = 120_000;

/** The templates of a group: added, deleted, and filled. */
export function GroupForms({ group }: { readonly group: string }) {
  const text = formsWords();
  const opened = useSignal<string | undefined>(undefined);
  const deleted = useSignal<FormTemplate | undefined>(undefined);
  const { resource, reload } = useResource(
    `templates ${group}`,
    async (signal) => await get('/dataset-groups/{id}/templates', { path: { id: group }, signal }),
  );
  const { value, failure } = resource.value;
  return (
    <section class="sheet pad stack forms" aria-labelledby="forms-title">
      <h2 id="forms-title">{text.title}</h2>
      <p class="muted">{text.lead}</p>
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.failed} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value?.length === 0 && <p>{text.none}</p>}
      <ul class="entries">
        {value?.map((template) => (
          <li key={template.id}>
            <Template
              template={template}
              isOpen={opened.value === template.id}
              onOpen={() => void (opened.value = opened.value === template.id ? undefined : template.id)}
              onDelete={() => void (deleted.value = template)}
            />
            {opened.value === template.id && <FillForm template={template} group={group} />}
          </li>
        ))}
      </ul>
      <AddTemplate group={group} onAdded={reload} />
      {deleted.value !== undefined && (
        <ChangeDialog
          ids={[deleted.value.id]}
          title={text.removeTitle(deleted.value.filename)}
          action={text.remove}
          isDanger
          change={async (id) => await remove('/form-templates/{id}', { path: { id } })}
          onClose={() => void (deleted.value = undefined)}
          onDone={reload}
        >
          <p>{text.removeText}</p>
        </ChangeDialog>
      )}
    </section>
  );
}

function Template({
  template: { id, filename, size_bytes: bytes },
  isOpen,
  onOpen,
  onDelete,
}: {
  readonly template: FormTemplate;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onDelete: () => void;
}) {
  const text = formsWords();
  const path = `.${pathTo('/form-templates/{id}/file', { path: { id } })}`;
  return (
    <div class="form-template">
      <span class="entry">
        {filename} <span class="small muted">{formatBytes(bytes, language())}</span>
      </span>
      <span class="actions">
        <button
          type="button"
          class="button"
          aria-expanded={isOpen}
          aria-label={`${text.fill}: ${filename}`}
          onClick={onOpen}
        >
          {text.fill}
        </button>
        <FileLink file={{ label: text.template, path, name: filename }} of={filename} />
        {may('catalog:write') && (
          <button
            type="button"
            class="button quiet"
            aria-label={`${text.remove}: ${filename}`}
            onClick={onDelete}
          >
            {text.remove}
          </button>
        )}
      </span>
    </div>
  );
}

function AddTemplate({ group, onAdded }: { readonly group: string; readonly onAdded: () => void }) {
  const text = formsWords();
  const adding = useAction(async (file: File) => {
    const body = new FormData();
    body.append('file', file);
    const path = `/dataset-groups/${encodeURIComponent(group)}/templates`;
    await fetchFromService(path, { method: 'POST', body, timeoutMs: uploadTimeoutMs }, async (response) => {
      if (!response.ok) throw await refusalOf(response, 'POST');
      await response.body?.cancel();
    });
    onAdded();
  });
  return (
    <>
      <div class="actions">
        {may('catalog:write') && (
          <label class="button form-file">
            + {text.add}
            <input
              type="file"
              class="visually-hidden"
              accept=".xlsx,.ods"
              disabled={adding.isRunning}
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? [];
                if (file !== undefined) adding.run(file);
                currentTarget.value = '';
              }}
            />
          </label>
        )}
        <a class="button quiet" href={exampleUrl} download="land-balance.xlsx">
          ↓ {text.example}
        </a>
      </div>
      <p class="muted" role="status">
        {adding.isRunning && text.adding}
      </p>
      <p class="wrong" role="alert">
        {adding.failure}
      </p>
    </>
  );
}
