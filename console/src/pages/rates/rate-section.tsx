import { useSignal } from '@preact/signals';
import { hrefOf } from '../../address/address.ts';
import { formatDates } from '../../map/units/unit-series.ts';
import { fileNameOf } from '../../parts/downloads.ts';
import { Choice, Field } from '../../parts/fields.tsx';
import { FileLink } from '../../parts/file-link.tsx';
import { useAction } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import type { Denominator } from '../../service/types.ts';
import { useResource } from '../../service/resource.ts';
import { get, put, remove } from '../../service/request.ts';
import { language } from '../../words/words.ts';
import './rates.css';
import { mapWords, type MapLocale } from '../../map/words/words.ts';

export interface RateProps {
  readonly id: string;
  readonly name: string;
}

interface Table {
  readonly id: string;
  readonly name: string;
}

const mostTables = 100;

/** The newest ready tables except one, and their total number. */
async function readTables(id: string, text: string, signal: AbortSignal) {
  const query = { file_type: 'vector_with_kato', status: 'ready', page_size: mostTables, q: text } as const;
  const page = await get('/datasets', { query, signal });
  return { tables: page.data.filter((table) => table.id !== id), total: page.total };
}

/** The denominator of a table, its choice, and the files with rates. */
export function RateSection({ id, name }: RateProps) {
  const locale = mapWords.locale();
  const { resource, reload } = useResource(
    `denominator ${id} ${language()}`,
    async (signal) => await get('/datasets/{id}/denominator', { path: { id }, signal }),
  );
  const { value: denominator, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (denominator === undefined) return <Waiting />;
  const { rate: text } = locale.words;
  const { state, counts, message } = denominator;
  return (
    <div class="stack rates">
      <p>{text.lead}</p>
      {state === 'none' && counts !== null && <p class="muted">{text.seem[counts]}</p>}
      <p role="status">
        <strong>{message}</strong>
      </p>
      {may('data:write') && (
        <ChoiceForm key={JSON.stringify(denominator)} {...{ id, denominator, locale }} onSaved={reload} />
      )}
      {state === 'ready' && (
        <>
          <p class="actions">
            <a class="button" href={hrefOf(['map'], { l: id, rate: id })}>
              {text.onMap}
            </a>
            {(['xlsx', 'csv'] as const).map((form) => (
              <FileLink
                key={form}
                file={{
                  label: text.file[form],
                  path: `./datasets/${encodeURIComponent(id)}/observations.${form}?rate=1&lang=${language()}`,
                  name: fileNameOf(name, form),
                }}
              />
            ))}
          </p>
          <Periods denominator={denominator} locale={locale} />
        </>
      )}
    </div>
  );
}

interface FormProps {
  readonly id: string;
  readonly denominator: Denominator;
  readonly locale: MapLocale;
  readonly onSaved: () => void;
}

const kinds = ['none', 'area', 'dataset'] as const;

function ChoiceForm({ id, denominator, locale, onSaved }: FormProps) {
  const { rate: text } = locale.words;
  const kind = useSignal<(typeof kinds)[number]>(denominator.by ?? 'none');
  const search = useSignal('');
  const isByTable = kind.value === 'dataset';
  const { resource, reload } = useResource(`tables ${isByTable} ${search.value}`, async (signal) =>
    isByTable ? await readTables(id, search.value, signal) : undefined,
  );
  const { value: found, failure: unread } = resource.value;
  const saving = useAction(async (form: FormData) => {
    const per = Number(form.get('per') ?? 1000);
    const table = form.get('table');
    if (kind.value === 'none') await remove('/datasets/{id}/denominator', { path: { id } });
    else
      await put('/datasets/{id}/denominator', {
        path: { id },
        body: {
          by: kind.value,
          per,
          ...(kind.value === 'dataset' && { dataset_id: typeof table === 'string' ? table : '' }),
        },
      });
    onSaved();
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        saving.run(new FormData(event.currentTarget));
      }}
    >
      <fieldset class="rate-kinds">
        <legend>{text.by}</legend>
        {kinds.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="kind"
              value={each}
              checked={kind.value === each}
              onChange={() => void (kind.value = each)}
            />
            {text.kinds[each]}
          </label>
        ))}
      </fieldset>
      {isByTable && unread !== undefined && <Failure failure={unread} retry={reload} />}
      {isByTable && found === undefined && unread === undefined && <Waiting />}
      {isByTable && found !== undefined && (found.total > mostTables || search.value !== '') && (
        <label class="field">
          <span>{text.find}</span>
          <input
            type="search"
            defaultValue={search.value}
            maxLength={200}
            onChange={({ currentTarget }) => void (search.value = currentTarget.value)}
          />
        </label>
      )}
      {isByTable && found?.tables.length === 0 && <p class="muted">{text.noTables}</p>}
      {isByTable && found !== undefined && found.tables.length > 0 && (
        <Choice
          label={text.table}
          name="table"
          value={denominator.dataset_id ?? found.tables[0]?.id ?? ''}
          options={optionsOf(found.tables, denominator)}
        />
      )}
      {kind.value !== 'none' && (
        <Field
          label={text.per[kind.value]}
          name="per"
          value={String(denominator.per ?? 1000)}
          required
          pattern="[1-9][0-9]{0,8}"
          {...(isByTable ? {} : { hint: text.perHint })}
        />
      )}
      <p class="wrong" role="alert">
        {saving.failure}
      </p>
      <p class="actions">
        <button
          type="submit"
          class="button primary"
          disabled={saving.isRunning || (isByTable && !found?.tables.length)}
        >
          {text.save}
        </button>
      </p>
    </form>
  );
}

/** The chosen table may be missing from the list. */
function optionsOf(tables: readonly Table[], { dataset_id: id, name }: Denominator): readonly Table[] {
  if (id === null || tables.some((table) => table.id === id)) return tables;
  return [{ id, name: name ?? id }, ...tables];
}

function Periods({
  denominator: { periods },
  locale,
}: {
  readonly denominator: Denominator;
  readonly locale: MapLocale;
}) {
  const { rate: text } = locale.words;
  if (periods.length === 0) return undefined;
  const written = (all: readonly { readonly start_date: string; readonly end_date: string | null }[]) =>
    formatDates(
      all.map(({ start_date: start, end_date: end }) => ({ start, end })),
      locale.language,
    );
  const dates = written(periods);
  return (
    <details open={periods.some(({ used }) => used === null)}>
      <summary>{text.periods}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.date}</th>
            <th scope="col">{text.used}</th>
          </tr>
        </thead>
        <tbody>
          {periods.map(({ start_date: start, used }, index) => (
            <tr key={start}>
              <th scope="row">{dates[index]}</th>
              <td>{used === null ? text.noPeriod : written([used])[0]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
