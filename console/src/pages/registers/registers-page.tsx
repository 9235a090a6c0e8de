import './registers.css';
import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { OriginOf } from '../../parts/origin.tsx';
import { getCounted, useCounted } from '../../service/counted.ts';
import { language, words as commonWords } from '../../words/words.ts';
import { Compared } from './compared.tsx';
import {
  chosenIds,
  readRegistersState,
  hrefOfPair,
  type RegistersState,
  sideMembers,
  type SideName,
  sideNames,
} from './registers-address.ts';
import { registersWords, type RegistersWords } from './words/words.ts';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { formatPeriod } from '../../../../common/formats/days.ts';
import { formatValue } from '../../../../common/formats/numbers.ts';
import { datasetName, datasetUnit } from '../../service/graph-words.ts';
import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { Dataset, DatasetSummary, RegisterComparison } from '../../service/types.ts';

/** Two registers side by side: the choice of both, and what differs. */
export function RegistersPage() {
  const words = registersWords();
  useTitle(words.title);
  const { a, b } = chosenIds();
  const { asked, unit } = readRegistersState(address.value.query);
  const key = JSON.stringify(['registers', a, b, asked, language()]);
  const { value, failure, isCounting, isLoading, reload } = useCounted(key, async (asking) =>
    a === undefined || b === undefined
      ? undefined
      : await getCounted('/datasets/{a}/compare/{b}', { path: { a, b }, query: asked, ...asking }),
  );
  const isCurrent = value?.a.dataset_id === a && value?.b.dataset_id === b;
  return (
    <article class="registers stack">
      <p class="small">
        <a href={hrefOf(['datasets'])}>‹ {commonWords().dataset.back}</a>
      </p>
      <div class="page-head">
        <h1 tabIndex={-1}>{words.title}</h1>
      </div>
      <p class="muted">{words.lead}</p>
      <SideForms ids={{ a, b }} asked={asked} comparison={isCurrent ? value : undefined} words={words} />
      {(a === undefined || b === undefined) && <p role="status">{words.choose}</p>}
      {failure !== undefined && <Failure failure={failure} retry={reload} title={words.failed} />}
      <p class="muted" role="status">
        {isCounting && words.counting}
      </p>
      {isLoading && !isCounting && !isCurrent && a !== undefined && b !== undefined && <Waiting />}
      {value !== undefined && isCurrent && failure === undefined && (
        <Compared comparison={value} asked={asked} chosen={unit} words={words} />
      )}
    </article>
  );
}

const mostDatasets = 100;

/** The newest ready tables and rasters, and whether there are more. */
async function readDatasets(text: string, signal: AbortSignal) {
  const read = async (file_type: 'vector_with_kato' | 'raster') =>
    await get('/datasets', {
      query: { file_type, status: 'ready', page_size: mostDatasets, q: text },
      signal,
    });
  const [tables, rasters] = await Promise.all([read('vector_with_kato'), read('raster')]);
  return {
    tables: tables.data,
    rasters: rasters.data,
    hasMore: tables.total > mostDatasets || rasters.total > mostDatasets,
  };
}

interface SideFormsProps {
  readonly ids: Readonly<Record<SideName, string | undefined>>;
  readonly asked: RegistersState['asked'];
  /** The comparison of these two, which names the classes of rasters. */
  readonly comparison: RegisterComparison | undefined;
  readonly words: RegistersWords;
}

/** The choice of both registers, which is recorded in the address. */
function SideForms({ ids, asked, comparison, words }: SideFormsProps) {
  const search = useSignal('');
  const { resource, reload } = useResource(
    `registers to choose ${search.value}`,
    async (signal) => await readDatasets(search.value, signal),
  );
  const { value: listed, failure } = resource.value;
  const choose = (side: SideName, id: string | undefined): void => {
    location.hash = hrefOfPair(
      { ...ids, [side]: id },
      keptQuery((member) => !member.startsWith(`${side}_`)),
    );
  };
  const swap = (): void => {
    const swapped = Object.fromEntries(
      sideMembers.flatMap((member) => [
        [`a_${member}`, asked[`b_${member}`]],
        [`b_${member}`, asked[`a_${member}`]],
      ]),
    );
    location.hash = hrefOfPair({ a: ids.b, b: ids.a }, { ...keptQuery(() => false), ...swapped });
  };
  return (
    <div class="stack">
      {failure !== undefined && <Failure failure={failure} retry={reload} title={words.loadFailed} />}
      {(listed?.hasMore === true || search.value !== '') && (
        <label class="field">
          <span>{words.find}</span>
          <input
            type="search"
            defaultValue={search.value}
            maxLength={200}
            onChange={({ currentTarget }) => void (search.value = currentTarget.value)}
          />
        </label>
      )}
      <div class="register-sides">
        {sideNames.map((side) => (
          <SideForm
            key={side}
            side={side}
            id={ids[side]}
            tables={listed?.tables ?? []}
            rasters={listed?.rasters ?? []}
            asked={asked}
            classes={comparison?.[side].classes ?? undefined}
            words={words}
            onChoose={(id) => choose(side, id)}
          />
        ))}
        <button
          type="button"
          class="button swap"
          disabled={ids.a === undefined || ids.b === undefined}
          onClick={swap}
        >
          <span aria-hidden="true">⇄</span>
          <span class="visually-hidden">{words.swap}</span>
        </button>
      </div>
    </div>
  );
}

/** Members of the query that stay when another pair is chosen: the level, and those of the side that stays. */
function keptQuery(isKept: (member: string) => boolean): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...address.peek().query].filter(([name]) => name === 'by' || (/^[ab]_/.test(name) && isKept(name))),
  );
}

interface SideFormProps extends Omit<DatasetChoiceProps, 'dataset'>, Omit<DetailsProps, 'dataset'> {}

/** The choice of one register, and its details. */
function SideForm({ side, id, tables, rasters, asked, classes, words, onChoose }: SideFormProps) {
  const { resource, reload } = useResource(`register side ${id}`, async (signal) =>
    id === undefined ? undefined : await get('/datasets/{id}', { path: { id }, signal }),
  );
  const { value, failure } = resource.value;
  const dataset = value?.id === id ? value : undefined;
  return (
    <fieldset class="sheet pad stack">
      <legend>{words.side[side]}</legend>
      <DatasetChoice {...{ id, dataset, tables, rasters, words, onChoose }} />
      {id !== undefined && <OriginOf id={id} />}
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {id !== undefined && failure === undefined && (
        <SideDetails key={id} {...{ side, dataset, asked, classes, words }} />
      )}
    </fieldset>
  );
}

interface DatasetChoiceProps {
  readonly id: string | undefined;
  /** The chosen dataset, which may not be listed; undefined while it is read. */
  readonly dataset: Dataset | undefined;
  readonly tables: readonly DatasetSummary[];
  readonly rasters: readonly DatasetSummary[];
  readonly words: RegistersWords;
  readonly onChoose: (id: string | undefined) => void;
}

function DatasetChoice({ id, dataset, tables, rasters, words, onChoose }: DatasetChoiceProps) {
  const groups = [
    { label: words.tables, of: tables },
    { label: words.rasters, of: rasters },
  ];
  const isListed = [...tables, ...rasters].some((each) => each.id === id);
  return (
    <label class="field">
      <span>{words.dataset}</span>
      <select
        value={id ?? ''}
        onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : value)}
      >
        <option value="">{words.none}</option>
        {id !== undefined && !isListed && (
          <option value={id} selected>
            {dataset === undefined ? id : datasetName(dataset)}
          </option>
        )}
        {groups.map(
          ({ label, of }) =>
            of.length > 0 && (
              <optgroup key={label} label={label}>
                {of.map((each) => (
                  <option key={each.id} value={each.id} selected={each.id === id}>
                    {datasetName(each)}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </select>
    </label>
  );
}

interface DetailsProps {
  readonly side: SideName;
  readonly dataset: Dataset | undefined;
  readonly asked: RegistersState['asked'];
  readonly classes: RegisterComparison['a']['classes'] | undefined;
  readonly words: RegistersWords;
}

/** The column and the factor of a table, or the classes of a raster. */
function SideDetails({ side, dataset, asked, classes, words }: DetailsProps) {
  if (dataset?.file_type === 'vector_with_kato')
    return <TableDetails side={side} dataset={dataset} asked={asked} words={words} />;
  if (classes === undefined || classes === null) return undefined;
  const chosen = classes.filter(({ is_chosen: isChosen }) => isChosen).map(({ value }) => value);
  const toggle = (value: number): void => {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
    const isAll = next.length === classes.length || next.length === 0;
    replaceQuery({
      [`${side}_class`]: isAll ? undefined : next.toSorted((one, other) => one - other).join(','),
    });
  };
  return (
    <fieldset class="register-classes">
      <legend>{words.classes}</legend>
      {classes.map(({ value, title, color, is_chosen: isChosen }) => (
        <label key={value}>
          <input type="checkbox" checked={isChosen} onChange={() => toggle(value)} />
          <span class="swatch" style={{ background: color ?? 'none' }} aria-hidden="true" />
          {title ?? formatValue(value, language())}
        </label>
      ))}
    </fieldset>
  );
}

interface TableDetailsProps extends Omit<DetailsProps, 'dataset' | 'classes'> {
  readonly dataset: Dataset;
}

function TableDetails({ side, dataset, asked, words }: TableDetailsProps) {
  const hintId = useId();
  const isWrong = useSignal(false);
  const columns = columnsByDate(dataset);
  const unit = datasetUnit(dataset);
  const setFactor = (text: string): void => {
    const plain = text
      .trim()
      .replaceAll(/[\s\u00a0]/g, '')
      .replace(',', '.');
    isWrong.value = plain !== '' && !/^(?=.*[1-9])\d{1,12}(?:\.\d{1,12})?$/.test(plain);
    if (!isWrong.value) replaceQuery({ [`${side}_factor`]: plain === '' ? undefined : plain });
  };
  return (
    <>
      <label class="field">
        <span>{words.column}</span>
        <select
          value={asked[`${side}_date`] ?? columns.at(-1)?.start ?? ''}
          onChange={({ currentTarget: { value } }) => replaceQuery({ [`${side}_date`]: value })}
        >
          {columns.map(({ start, column, period }) => (
            <option
              key={start}
              value={start}
              selected={start === (asked[`${side}_date`] ?? columns.at(-1)?.start)}
            >
              {words.ofColumn(column, period)}
            </option>
          ))}
        </select>
      </label>
      <div class="field">
        <label class="field">
          <span>{words.factor}</span>
          <input
            inputMode="decimal"
            defaultValue={asked[`${side}_factor`] ?? ''}
            maxLength={26}
            aria-describedby={hintId}
            aria-invalid={isWrong.value}
            onChange={({ currentTarget }) => setFactor(currentTarget.value)}
          />
        </label>
        <span id={hintId} class="small muted">
          {unit === null || unit === '' ? words.factorHintWithout : words.factorHint(unit)}
        </span>
        <p class="wrong" role="alert">
          {isWrong.value && words.wrongFactor}
        </p>
      </div>
    </>
  );
}

/** The mapped columns, one for each first day, in order. */
function columnsByDate({ year_columns: columns }: Dataset) {
  const byStart = new Map(
    (columns ?? []).map(({ column, start_date: start, end_date: end }) => [
      start,
      { start, column, period: formatPeriod(start, end ?? null, language()) ?? start },
    ]),
  );
  return [...byStart.values()].toSorted((one, other) => (one.start < other.start ? -1 : 1));
}
