import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../../address/address.ts';
import { Choice, Field } from '../../parts/fields.tsx';
import { useAction } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { getCounted, useCounted } from '../../service/counted.ts';
import { landscapeCategory, listGroups } from '../../service/groups.ts';
import { get, post } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { RasterOrder, SourceDescription } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { sourceFilesWords } from './words/words.ts';

type Axis = SourceDescription['axes'][number];

const askAgainMs = 2000;

/** Shows the variables of a file, and makes rasters of the chosen times. */
export function MakeRasters({ id }: { readonly id: string }) {
  const text = sourceFilesWords();
  const { value, failure, isCounting, isLoading, reload } = useCounted(
    `source variables ${id} ${language()}`,
    async (asking) =>
      await getCounted('/source-files/{id}/variables', {
        path: { id },
        query: { lang: language() },
        ...asking,
      }),
  );
  const ordered = useSignal(0);
  return (
    <>
      <p class="small">
        <a href={hrefOf(['source-files'])}>‹ {text.back}</a>
      </p>
      <p class="muted" role="status">
        {isCounting && text.reading}
      </p>
      {value === undefined && isLoading && !isCounting && <Waiting />}
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.unreadable} />}
      {value !== undefined && (
        <Choose id={id} description={value} onOrdered={() => void (ordered.value += 1)} />
      )}
      <Orders key={ordered.value} id={id} />
    </>
  );
}

interface Choosing {
  readonly id: string;
  readonly description: SourceDescription;
  readonly onOrdered: () => void;
}

function Choose({ id, description: { variables, axes }, onOrdered }: Choosing) {
  const text = sourceFilesWords();
  const firstGood = variables.find(({ refusal }) => refusal === null) ?? variables[0];
  const chosen = useSignal(firstGood?.name ?? '');
  const steps = useSignal<ReadonlySet<number>>(new Set([0]));
  const { resource } = useResource('source places', async (signal) => ({
    // Names of the Landscape Program's own ones are in English.
    categories: (await get('/categories', { signal })).filter(({ code }) => code !== landscapeCategory),
    groups: (await listGroups(signal)).filter(({ code }) => !code.startsWith('landscape-')),
  }));
  const variable = variables.find(({ name }) => name === chosen.value);
  const own = (variable?.axes ?? []).flatMap((index) => axes[index] ?? []);
  const along =
    own.find(({ periods, size }) => periods !== null && size > 0) ?? own.find(({ size }) => size > 1);
  const others = own.filter((axis) => axis !== along && axis.size > 1);
  const count = along === undefined ? 1 : steps.value.size;
  const places = resource.value.value;
  const ordering = useAction(async (form: FormData) => {
    const read = (name: string): string => {
      const typed = form.get(name);
      return typeof typed === 'string' ? typed.trim() : '';
    };
    const name = read('name');
    const title = name || (variable?.title ?? chosen.value);
    const group =
      read('group') ||
      (along === undefined
        ? ''
        : (
            await post('/dataset-groups', {
              body: { code: `rasters-${crypto.randomUUID().slice(0, 8)}`, name: title },
            })
          ).id);
    await post('/source-files/{id}/rasters', {
      path: { id },
      body: {
        variable: chosen.value,
        category_id: read('category'),
        positions: Object.fromEntries(others.map((axis) => [axis.name, Number(read(`axis ${axis.name}`))])),
        ...(along !== undefined && { axis: along.name, steps: [...steps.value].toSorted((a, b) => a - b) }),
        ...(group !== '' && { dg_id: group }),
        ...(name !== '' && { name }),
        ...(read('crs') !== '' && { crs: read('crs') }),
      },
    });
    onOrdered();
  });
  return (
    <form
      class="sheet pad stack"
      onSubmit={(event) => {
        event.preventDefault();
        ordering.run(new FormData(event.currentTarget));
      }}
    >
      <label class="field">
        <span>{text.variable}</span>
        <select
          value={chosen.value}
          onChange={({ currentTarget }) => {
            chosen.value = currentTarget.value;
            steps.value = new Set([0]);
          }}
        >
          {variables.map(({ name, title }) => (
            <option key={name} value={name}>
              {title === null || title === name ? name : `${name}: ${title}`}
            </option>
          ))}
        </select>
      </label>
      {variable !== undefined && (
        <p class="small muted">
          {[text.grid(variable.width, variable.height), variable.unit && text.unit(variable.unit)]
            .filter((part) => part)
            .join(' · ')}
        </p>
      )}
      {variable !== undefined && variable.refusal !== null && (
        <p class="wrong" role="alert">
          {text.refused} {variable.refusal}
        </p>
      )}
      {variable?.refusal === null && (
        <>
          {along !== undefined && (
            <Steps axis={along} chosen={steps.value} onChange={(next) => void (steps.value = next)} />
          )}
          {others.map((axis) => (
            <Choice
              key={axis.name}
              label={axis.unit === null ? text.axis(axis.name) : `${text.axis(axis.name)}, ${axis.unit}`}
              name={`axis ${axis.name}`}
              value="0"
              options={axis.values.map((value, index) => ({ id: String(index), name: String(value) }))}
            />
          ))}
          {variable.crs === null && (
            <Field label={text.crs} name="crs" value={null} required pattern="EPSG:\d{4,6}" />
          )}
          <Field label={text.name} name="name" value={variable.title ?? variable.name} />
          {places !== undefined && (
            <>
              <Choice
                label={text.category}
                name="category"
                value={places.categories[0]?.id ?? ''}
                options={places.categories}
              />
              <Choice label={text.group} name="group" value="" options={places.groups} none={text.newGroup} />
            </>
          )}
          <p class="wrong" role="alert">
            {ordering.failure}
          </p>
          {may('data:write') && (
            <div class="actions">
              <button type="submit" class="button primary" disabled={ordering.isRunning || count === 0}>
                {text.make(count)}
              </button>
            </div>
          )}
        </>
      )}
    </form>
  );
}

/** The times of a variable, or the positions on another axis, of which rasters are made. */
function Steps({
  axis,
  chosen,
  onChange,
}: {
  readonly axis: Axis;
  readonly chosen: ReadonlySet<number>;
  readonly onChange: (chosen: ReadonlySet<number>) => void;
}) {
  const text = sourceFilesWords();
  const all = axis.values.map((_, index) => index);
  return (
    <fieldset class="stack source-steps">
      <legend>{axis.periods === null ? text.axis(axis.name) : text.times}</legend>
      <p class="small muted">
        {text.chosen(chosen.size, axis.size)}
        {axis.calendar !== null && ` · ${text.calendar(axis.calendar)}`}
      </p>
      <div class="actions">
        <button type="button" class="button quiet" onClick={() => onChange(new Set(all))}>
          {text.all}
        </button>
        <button type="button" class="button quiet" onClick={() => onChange(new Set())}>
          {text.noneChosen}
        </button>
      </div>
      <div class="source-times">
        {axis.values.map((value, index) => (
          <label key={index} class="form-check">
            <input
              type="checkbox"
              checked={chosen.has(index)}
              onChange={({ currentTarget: { checked } }) => {
                const next = new Set(chosen);
                if (checked) next.add(index);
                else next.delete(index);
                onChange(next);
              }}
            />
            <span>{stepText(axis, value, index)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A period of days, or the time itself if it lasts a day at most. */
function stepText({ periods }: Axis, value: number | string, index: number): string {
  const period = periods?.[index];
  if (period === undefined || period.start_date === period.end_date)
    return String(value).replace('T00:00:00', '').replace('T', ' ');
  return `${period.start_date} – ${period.end_date}`;
}

/** The rasters that were ordered, asked again until all are made. */
function Orders({ id }: { readonly id: string }) {
  const text = sourceFilesWords();
  const { resource, reload } = useResource(
    `source orders ${id} ${language()}`,
    async (signal) =>
      await get('/source-files/{id}/rasters', { path: { id }, query: { lang: language() }, signal }),
  );
  const { value, failure } = resource.value;
  const isPending = value?.some(({ state }) => state === 'pending') === true;
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(reload, askAgainMs);
    return () => clearTimeout(timer);
  }, [value]);
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined || value.length === 0) return null;
  return (
    <section class="sheet pad stack" aria-labelledby="source-orders">
      <h2 id="source-orders">{text.ordered}</h2>
      <ul class="entries">
        {value.flatMap((order) =>
          order.rasters.map((raster) => <Made key={`${order.id} ${raster.name}`} {...{ order, raster }} />),
        )}
      </ul>
    </section>
  );
}

function Made({
  order: { state, failure },
  raster: { name, dataset_id: dataset },
}: {
  readonly order: RasterOrder;
  readonly raster: RasterOrder['rasters'][number];
}) {
  const text = sourceFilesWords();
  const states = { pending: text.pending, made: text.made, failed: text.notMade } as const;
  return (
    <li>
      {dataset === null ? name : <a href={hrefOf(['datasets', dataset])}>{name}</a>}{' '}
      <span class="small muted">{states[state]}</span>
      {failure !== null && <span class="wrong"> {failure}</span>}
    </li>
  );
}
