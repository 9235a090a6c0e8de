import { useSignal } from '@preact/signals';
import { hrefOf } from '../../address/address.ts';
import { Choice, Field } from '../../parts/fields.tsx';
import { useAction } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { getCounted, useCounted } from '../../service/counted.ts';
import { landscapeCategory, listGroups } from '../../service/groups.ts';
import { newRequestKey, refusedOf } from '../../service/fetch.ts';
import { get, post } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { SourceDescription } from '../../service/types.ts';
import { findDestination } from '../../uploads/drop-zone.tsx';
import { language, words } from '../../words/words.ts';
import { CheckList } from './check-list.tsx';
import { Orders } from './orders.tsx';
import { gridText, Tiles } from './tiles.tsx';
import { sourceFilesWords } from './words/words.ts';

type Axis = SourceDescription['axes'][number];

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

/** The group of rasters that are being ordered. */
interface NewGroup {
  readonly title: string;
  readonly code: string;
  /** Undefined until the service has made it. */
  readonly id: string | undefined;
}

/** Makes a group, or finds the one that an earlier request without an answer has made. @throws {Refused} */
async function makeGroup({ code, title }: NewGroup): Promise<string> {
  try {
    return (await post('/dataset-groups', { body: { code, name: title } })).id;
  } catch (error) {
    if (refusedOf(error).status !== 409) throw error;
    const groups = await listGroups(new AbortController().signal);
    const made = groups.find((group) => group.code === code);
    if (made === undefined) throw error;
    return made.id;
  }
}

interface Choosing {
  readonly id: string;
  readonly description: SourceDescription;
  readonly onOrdered: () => void;
}

function Choose({ id, description: { variables, axes, tiles }, onOrdered }: Choosing) {
  const text = sourceFilesWords();
  const firstGood = variables.find(({ refusal }) => refusal === null) ?? variables[0];
  const chosen = useSignal(firstGood?.name ?? '');
  const steps = useSignal<ReadonlySet<number>>(new Set([0]));
  const goodTiles = tiles?.filter(({ refusal }) => refusal === null);
  const chosenTiles = useSignal<ReadonlySet<string>>(new Set(goodTiles?.map(({ name }) => name)));
  const { resource, reload } = useResource('source places', async (signal) => ({
    // Names of the Landscape Program's own ones are in English.
    categories: (await get('/categories', { signal })).filter(({ code }) => code !== landscapeCategory),
    groups: (await listGroups(signal)).filter(({ code }) => !code.startsWith('landscape-')),
  }));
  const variable = variables.find(({ name }) => name === chosen.value);
  const own = (variable?.axes ?? []).flatMap((index) => axes[index] ?? []);
  const along =
    own.find(({ periods, size }) => periods !== null && size > 0) ?? own.find(({ size }) => size > 1);
  const others = own.filter((axis) => axis !== along && axis.size > 1);
  const used = goodTiles?.filter(({ name }) => chosenTiles.value.has(name));
  const grids = [...Map.groupBy(used ?? [], ({ set }) => set).values()].flatMap(([tile]) => tile ?? []);
  const needsCrs = tiles === null ? variable?.crs === null : used?.some(({ crs }) => crs === null);
  const count = used?.length === 0 ? 0 : along === undefined ? 1 : steps.value.size;
  const { value: places, failure: unread } = resource.value;
  // Without an answer, the same form makes nothing twice: it is sent with the same key, and the group has the same code.
  const asked = useSignal<{ readonly sent: string; readonly key: string } | undefined>(undefined);
  const group = useSignal<NewGroup | undefined>(undefined);
  const newGroup = async (title: string): Promise<string> => {
    if (group.value?.title !== title)
      group.value = { title, code: `rasters-${newRequestKey().slice(0, 8)}`, id: undefined };
    const id = group.value.id ?? (await makeGroup(group.value));
    group.value = { ...group.value, id };
    return id;
  };
  const ordering = useAction(async (form: FormData) => {
    const read = (name: string): string => {
      const typed = form.get(name);
      return typeof typed === 'string' ? typed.trim() : '';
    };
    const name = read('name');
    const title = name || (variable?.title ?? chosen.value);
    const category = read('category') || (await findDestination(null)).categoryId;
    const dg_id = read('group') || (along === undefined ? '' : await newGroup(title));
    const body = {
      variable: chosen.value,
      category_id: category ?? '',
      positions: Object.fromEntries(others.map((axis) => [axis.name, Number(read(`axis ${axis.name}`))])),
      ...(along !== undefined && { axis: along.name, steps: [...steps.value].toSorted((a, b) => a - b) }),
      ...(dg_id !== '' && { dg_id }),
      ...(name !== '' && { name }),
      ...(read('crs') !== '' && { crs: read('crs') }),
      ...(used !== undefined && { tiles: used.map((tile) => tile.name) }),
      ...(read('onto') !== '' && { onto: read('onto') }),
    };
    const sent = JSON.stringify(body);
    if (asked.value?.sent !== sent) asked.value = { sent, key: newRequestKey() };
    await post('/source-files/{id}/rasters', { path: { id }, key: asked.value.key, body });
    asked.value = undefined;
    group.value = undefined;
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
          {[
            variable.width > 0 && text.grid(variable.width, variable.height),
            variable.unit && text.unit(variable.unit),
          ]
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
          {tiles !== null && (
            <Tiles
              tiles={tiles}
              chosen={chosenTiles.value}
              onChange={(next) => void (chosenTiles.value = next)}
            />
          )}
          {grids.length > 1 && (
            <>
              <p class="small">{text.severalGrids(grids.length)}</p>
              <Choice
                label={text.onto}
                name="onto"
                value={grids[0]?.name ?? ''}
                options={grids.map((tile) => ({ id: tile.name, name: gridText(tile) }))}
              />
            </>
          )}
          {needsCrs === true && (
            <Field label={text.crs} name="crs" value={null} required pattern="EPSG:\d{4,6}" />
          )}
          <Field
            label={tiles === null ? text.name : text.mosaicName}
            name="name"
            value={tiles === null ? (variable.title ?? variable.name) : null}
          />
          {places === undefined && unread !== undefined && <Failure failure={unread} retry={reload} />}
          {places !== undefined && (
            <>
              <Choice
                label={text.category}
                name="category"
                value={places.categories[0]?.id ?? ''}
                options={places.categories}
                {...(places.categories.length === 0 && { none: words().upload.firstCategory })}
              />
              <Choice
                label={text.group}
                name="group"
                value=""
                options={places.groups}
                none={along === undefined ? text.noGroup : text.newGroup}
              />
            </>
          )}
          <p class="wrong" role="alert">
            {ordering.failure}
          </p>
          {may('data:write') && (
            <div class="actions">
              <button
                type="submit"
                class="button primary"
                disabled={ordering.isRunning || count === 0 || places === undefined}
              >
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
      <CheckList
        items={axis.values.map((value, index) => ({ value: index, label: stepText(axis, value, index) }))}
        chosen={chosen}
        onChange={onChange}
      />
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
