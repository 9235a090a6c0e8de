import { useSignal } from '@preact/signals';
import { formatMoment } from '../../../../common/formats/days.ts';
import { FileLink } from '../../parts/file-link.tsx';
import { useAction } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { getCounted, postCounted, useCounted } from '../../service/counted.ts';
import { type Refused, refusedOf } from '../../service/fetch.ts';
import { useResource } from '../../service/resource.ts';
import type { FilledForm, FormLayout, FormTemplate } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import {
  likelyValue,
  readSources,
  readValues,
  type Source,
  type SourceGroup,
  type Value,
} from './sources.ts';
import { formsWords } from './words/words.ts';

const mostShown = 50;

interface Template {
  readonly template: FormTemplate;
}

/** Chooses the sources of the fields of a template, and has it filled. */
export function FillForm({ template, group }: Template & { readonly group: string }) {
  const text = formsWords();
  const { id } = template;
  const { value, failure, isCounting, isLoading, reload } = useCounted(
    `layout ${id} ${language()}`,
    async (asking) => await getCounted('/form-templates/{id}/layout', { path: { id }, ...asking }),
  );
  const sources = useResource(
    `sources ${group} ${language()}`,
    async (signal) => await readSources(group, text, { dayOf, signal }),
  );
  const offered = sources.resource.value;
  return (
    <div class="stack form-fill">
      <p class="muted" role="status">
        {isCounting && text.reading}
      </p>
      {value === undefined && isLoading && !isCounting && <Waiting />}
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.layoutFailed} />}
      {offered.failure !== undefined && (
        <Failure failure={offered.failure} retry={sources.reload} title={text.sourcesFailed} />
      )}
      {value?.fields.length === 0 && <p>{text.noFields}</p>}
      {value !== undefined && value.fields.length > 0 && offered.value !== undefined && (
        <Fields template={template} layout={value} groups={offered.value} />
      )}
      {value !== undefined && <Unknown rows={value.unknown_rows} names={value.unknown_names} />}
    </div>
  );
}

const dayOf = (time: string): string => formatMoment(time, language());

/** The choice of a person for a field. */
interface Chosen {
  readonly source: string;
  readonly value: string;
  readonly factor: string;
}

/** A source whose values could not be read for a field. */
interface Unread {
  readonly source: Source;
  readonly field: string;
  readonly failure: Refused;
}

const nothing: Chosen = { source: '', value: '', factor: '1' };

function Fields({
  template,
  layout,
  groups,
}: Template & { readonly layout: FormLayout; readonly groups: readonly SourceGroup[] }) {
  const text = formsWords();
  const chosen = useSignal<Readonly<Record<string, Chosen>>>({});
  const values = useSignal<Readonly<Record<string, readonly Value[]>>>({});
  const isIncomplete = useSignal(false);
  const made = useSignal<FilledForm | undefined>(undefined);
  const isCounting = useSignal(false);
  const all = groups.flatMap(({ sources }) => sources);
  const of = (field: string): Chosen => chosen.value[field] ?? nothing;
  const change = (field: string, changed: Partial<Chosen>): void => {
    chosen.value = { ...chosen.value, [field]: { ...of(field), ...changed } };
  };
  const unread = useSignal<Unread | undefined>(undefined);
  const load = async (source: Source, field: string): Promise<void> => {
    unread.value = undefined;
    try {
      const { signal } = new AbortController();
      const own = values.peek()[source.id] ?? (await readValues(source, text, signal));
      values.value = { ...values.peek(), [source.id]: own };
      for (const { id, label } of layout.fields)
        if (of(id).source === source.id && of(id).value === '') {
          // Other fields get a value only if their header names it.
          const likely = likelyValue(label, own);
          change(id, { value: likely === '' && id === field ? (own[0]?.id ?? '') : likely });
        }
    } catch (error) {
      unread.value = { source, field, failure: refusedOf(error) };
    }
  };
  const choose = (field: string, id: string): void => {
    const source = all.find((each) => each.id === id);
    const isFirst = Object.values(chosen.value).every((each) => each.source === '');
    // A form usually has one source: the first choice is that of all fields.
    const fields = isFirst ? layout.fields.map((each) => each.id) : [field];
    for (const each of fields) change(each, { source: id, value: '' });
    if (source !== undefined) void load(source, field);
  };
  const filling = useAction(async (form: FormData) => {
    made.value = undefined;
    isCounting.value = false;
    const fields = layout.fields.flatMap(({ id }) => {
      const { source, value, factor } = of(id);
      const found = values.value[source]?.find((each) => each.id === value);
      if (found === undefined) return [];
      const by = Number(factor);
      return [{ field: id, source: found.source, ...(by === 1 || !(by !== 0) ? {} : { factor: by }) }];
    });
    isIncomplete.value = fields.length === 0;
    if (fields.length === 0) return;
    const typed = form.get('unit');
    const unit = typeof typed === 'string' ? typed.trim() : '';
    made.value = await postCounted('/form-templates/{id}/forms', {
      path: { id: template.id },
      query: { lang: language() },
      body: { fields, overwrite: form.get('overwrite') !== null, ...(unit === '' ? {} : { unit }) },
      onCounting: () => void (isCounting.value = true),
    });
  });
  const hasUnit = layout.fields.some(({ units }) => units === 0) || layout.own_names.includes('form_unit');
  const hasContent = layout.fields.some(({ cells, empty, formulas }) => empty + formulas < cells);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        filling.run(new FormData(event.currentTarget));
      }}
    >
      <div class="form-scroll">
        <table class="form-fields">
          <thead>
            <tr>
              <th scope="col">{text.field}</th>
              <th scope="col">{text.source}</th>
              <th scope="col">{text.values}</th>
              <th scope="col">{text.factor}</th>
            </tr>
          </thead>
          <tbody>
            {layout.fields.map((field) => (
              <FieldRow
                key={field.id}
                field={field}
                hasSheets={layout.sheets.length > 1}
                chosen={of(field.id)}
                groups={groups}
                values={values.value[of(field.id).source] ?? []}
                onSource={(id) => choose(field.id, id)}
                onChange={(changed) => change(field.id, changed)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {unread.value !== undefined && (
        <Failure
          failure={unread.value.failure}
          title={text.sourcesFailed}
          retry={() => unread.value !== undefined && void load(unread.value.source, unread.value.field)}
        />
      )}
      {hasUnit && (
        <label class="field">
          <span>{text.unit}</span>
          <input name="unit" pattern="\d{9}" maxLength={9} inputMode="numeric" />
          <span class="small muted">{text.unitHint}</span>
        </label>
      )}
      {hasContent && (
        <label class="form-check">
          <input type="checkbox" name="overwrite" />
          <span>{text.overwrite}</span>
        </label>
      )}
      <p class="wrong" role="alert">
        {isIncomplete.value ? text.choose : filling.failure}
      </p>
      <div class="actions">
        <button type="submit" class="button primary" disabled={filling.isRunning}>
          {text.make}
        </button>
      </div>
      <p class="muted" role="status">
        {filling.isRunning && text.filling}
      </p>
      {made.value !== undefined && <Made template={template} form={made.value} />}
    </form>
  );
}

interface FieldRowProps {
  readonly field: FormLayout['fields'][number];
  /** True if the name of the sheet tells fields apart. */
  readonly hasSheets: boolean;
  readonly chosen: Chosen;
  readonly groups: readonly SourceGroup[];
  readonly values: readonly Value[];
  readonly onSource: (id: string) => void;
  readonly onChange: (changed: Partial<Chosen>) => void;
}

function FieldRow({ field, hasSheets, chosen, groups, values, onSource, onChange }: FieldRowProps) {
  const text = formsWords();
  const { label, sheet, first_cell: cell, cells, formulas } = field;
  return (
    <tr>
      <th scope="row">
        {label}
        <span class="small muted">
          {hasSheets ? `${sheet}, ${cell}` : cell} · {text.cells(cells - formulas)}
        </span>
      </th>
      <td>
        <select
          aria-label={`${text.source}: ${label}`}
          value={chosen.source}
          onChange={({ currentTarget }) => onSource(currentTarget.value)}
        >
          <option value="">{text.noSource}</option>
          {groups.map(
            ({ label: name, sources }) =>
              sources.length > 0 && (
                <optgroup key={name} label={name}>
                  {sources.map((source) => (
                    <option key={source.id} value={source.id}>
                      {source.name}
                    </option>
                  ))}
                </optgroup>
              ),
          )}
        </select>
      </td>
      <td>
        {values.length > 0 && (
          <select
            aria-label={`${text.values}: ${label}`}
            value={chosen.value}
            onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
          >
            <option value="">{text.noSource}</option>
            {values.map(({ id, label: name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </td>
      <td>
        {chosen.value !== '' && (
          <label>
            <span class="form-factor small muted">{text.factor}</span>{' '}
            <input
              aria-label={`${text.factor}: ${label}`}
              type="number"
              step="any"
              value={chosen.factor}
              onInput={({ currentTarget }) => onChange({ factor: currentTarget.value })}
            />
          </label>
        )}
      </td>
    </tr>
  );
}

/** The filled form to download, and everything that was not filled. */
function Made({ template: { filename, format }, form }: Template & { readonly form: FilledForm }) {
  const text = formsWords();
  const { cells, cells_total: total, fields } = form.left_out;
  const stem = filename.slice(0, -format.length - 1);
  const name = `${stem} ${form.made_at.slice(0, 10)}.${format}`;
  const shown = cells.slice(0, mostShown);
  return (
    <div class="notice stack" role="status">
      <p>
        <strong>{text.filled(form.filled)}</strong>
        {form.formulas > 0 && <span class="muted"> · {text.formulas(form.formulas)}</span>}
      </p>
      <FileLink file={{ label: text.download, path: `.${form.file}`, name }} of={name} />
      {total > 0 && (
        <details>
          <summary>{text.leftCells(total)}</summary>
          <ul>
            {shown.map(({ field, sheet, cell, name: unit, message }) => (
              <li key={`${field} ${cell}`}>
                {sheet}, {cell}: {unit} <span class="muted">– {message}</span>
              </li>
            ))}
          </ul>
          {total > shown.length && <p class="muted">{text.more(total - shown.length)}</p>}
        </details>
      )}
      {fields.length > 0 && (
        <details>
          <summary>
            {text.leftFields}: {fields.length}
          </summary>
          <ul>
            {fields.map(({ field, label }) => (
              <li key={field}>{label}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Unknown({
  rows,
  names,
}: {
  readonly rows: FormLayout['unknown_rows'];
  readonly names: FormLayout['unknown_names'];
}) {
  const text = formsWords();
  if (rows.length + names.length === 0) return undefined;
  return (
    <details>
      <summary>
        {text.leftRows}: {rows.length + names.length}
      </summary>
      <ul>
        {rows.map(({ sheet, cell, text: content, message }) => (
          <li key={`${sheet} ${cell}`}>
            {sheet}, {cell}: {content} <span class="muted">– {message}</span>
          </li>
        ))}
        {names.map(({ name, message }) => (
          <li key={name}>
            <code>{name}</code> <span class="muted">– {message}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
