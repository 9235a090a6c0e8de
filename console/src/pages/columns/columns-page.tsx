import './columns.css';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { yearReadings } from '../../../../common/table/periods/read.ts';
import { hrefOf } from '../../address/address.ts';
import { useTitle } from '../../parts/hooks.ts';
import { pageInAddress } from '../../parts/page-links.tsx';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { Status, Typed } from '../../parts/signs.tsx';
import { may } from '../../service/capabilities.ts';
import { useCounted, getCounted } from '../../service/counted.ts';
import { isEnd, useFollowed } from '../../service/follow-status.ts';
import { datasetName } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import type { Dataset, MappingSuggestion } from '../../service/types.ts';
import { language, words as shellWords } from '../../words/words.ts';
import { ColumnsTable, columnsOfPage } from './columns-table.tsx';
import { Extracting } from './extracting.tsx';
import { count, listed } from './written.ts';
import { type Draft, draftOfMapping, draftOfSuggestion, periodsOf, withReading, yearsIn } from './draft.ts';
import { MatchPanel } from './match-panel.tsx';
import { measuresOf, unitsIn, withUnit } from './measures.ts';
import { columnsWords, type ColumnsWords } from './words/words.ts';
import { get } from '../../service/request.ts';

/** Maps the columns of a table to codes and values: shows the suggestion, changes and extracts it, and shows which units the rows match. */
export function ColumnsPage({ id }: { readonly id: string }) {
  const text = columnsWords();
  const { resource, reload } = useResource(
    `${id} ${language()}`,
    async (signal) => await get('/datasets/{id}', { path: { id }, signal }),
  );
  const { value: dataset, failure } = resource.value;
  const { dataset: shell, datasets } = shellWords();
  useTitle(dataset === undefined ? datasets.title : text.title(datasetName(dataset)));
  useFollowed(dataset, reload);
  return (
    <article class="columns-page">
      <p class="small">
        <a href={hrefOf(['datasets', id])}>‹ {dataset === undefined ? shell.back : datasetName(dataset)}</a>
      </p>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {dataset === undefined && failure === undefined && <Waiting />}
      {dataset !== undefined && (
        <>
          <div class="page-head">
            <h1 tabIndex={-1}>
              <Typed type={dataset.file_type}>{text.title(datasetName(dataset))}</Typed>
            </h1>
            <Status status={dataset.status} />
          </div>
          <Content dataset={dataset} text={text} reload={reload} />
        </>
      )}
    </article>
  );
}

interface Part {
  readonly dataset: Dataset;
  readonly text: ColumnsWords;
  readonly reload: () => void;
}

function Content({ dataset, text, reload }: Part) {
  if (dataset.file_type !== 'vector_with_kato') return <p class="notice">{text.notATable}</p>;
  if (dataset.attribute_columns === null)
    return dataset.parse_error === null ? (
      <p class="notice" role="status">
        {text.waiting}
      </p>
    ) : (
      <p class="notice failed">{dataset.parse_error}</p>
    );
  return <Choosing dataset={dataset} text={text} reload={reload} />;
}

function Choosing({ dataset, text, reload }: Part) {
  const page = pageInAddress();
  const first = (page - 1) * columnsOfPage;
  const {
    value,
    failure,
    reload: again,
  } = useCounted(
    `suggestion ${dataset.id} ${page} ${language()}`,
    async (asking) =>
      await getCounted('/datasets/{id}/mapping/suggestion', {
        path: { id: dataset.id },
        query: { first_column: first, max_columns: columnsOfPage },
        ...asking,
      }),
  );
  const periods = useMemo(() => periodsOf(dataset), [dataset.attribute_columns]);
  const chosen = useSignal<Draft | undefined>(undefined);
  const present = useMemo(
    () => draftOfMapping(dataset, periods),
    [dataset.kato_column, dataset.year_columns],
  );
  const measureOf = useMemo(
    () => measuresOf(dataset),
    [dataset.attribute_columns, dataset.unit, dataset.year_columns],
  );
  const draft = chosen.value ?? present ?? (value && draftOfSuggestion(value, measureOf));
  if (failure !== undefined) return <Failure failure={failure} retry={again} />;
  if (value === undefined || draft === undefined)
    return (
      <>
        <p class="muted" role="status">
          {text.finding}
        </p>
        <Waiting />
      </>
    );
  const set = (next: Draft): void => void (chosen.value = next);
  const isWorking = !isEnd(dataset.status);
  const lead =
    present === undefined ? text.lead : dataset.status === 'failed' ? text.failedLead : text.presentLead;
  return (
    <>
      <p class="lead">{lead}</p>
      {dataset.status === 'failed' && dataset.parse_error !== null && (
        <p class="notice failed">{dataset.parse_error}</p>
      )}
      <Remarks suggestion={value} text={text} />
      <div class="columns-work">
        <div class="stack">
          <ColumnsTable
            suggestion={value}
            draft={draft}
            periods={periods}
            measureOf={measureOf}
            text={text}
            page={page}
            onChange={isWorking || !may('data:write') ? undefined : set}
          />
          <section class="sheet pad stack">
            <Readings
              draft={draft}
              count={yearsIn(draft, periods)}
              text={text}
              onChange={(reading) => set(withReading(draft, reading, periods))}
            />
            <UnitsOfColumns
              draft={draft}
              text={text}
              onChange={isWorking || !may('data:write') ? undefined : (unit) => set(withUnit(draft, unit))}
            />
            <Extracting
              dataset={dataset}
              draft={draft}
              text={text}
              onDone={() => {
                chosen.value = undefined;
                reload();
              }}
            >
              {present !== undefined && value.kato_column !== null && (
                <button type="button" class="button" onClick={() => set(draftOfSuggestion(value, measureOf))}>
                  {text.takeSuggestion}
                </button>
              )}
            </Extracting>
          </section>
        </div>
        <MatchPanel dataset={dataset} suggestion={value} kato={draft.kato} text={text} />
      </div>
    </>
  );
}

/** Remarks to read before the suggestion is accepted. */
function Remarks({
  suggestion,
  text,
}: {
  readonly suggestion: MappingSuggestion;
  readonly text: ColumnsWords;
}) {
  const {
    matches,
    kato_column: kato,
    year_columns: years,
    left_out: sameStart,
    long_table: long,
  } = suggestion;
  const match = matches.find(({ column }) => column === kato);
  const remarks = [
    kato === null && text.noCodes,
    match !== undefined && match.with_district + match.below_district === 0 && text.noneKnown,
    match !== undefined && match.below_district > 0 && text.villages(match.below_district),
    long !== null && text.longTable(long.period_column),
    long === null && years.length === 0 && text.noPeriods,
    sameStart.total > 0 &&
      `${text.leftOut(sameStart.total)}: ${listed(sameStart.items, sameStart.total, text)}`,
  ].filter((remark) => remark !== false);
  if (remarks.length === 0) return undefined;
  return (
    <section class="notice needs" aria-labelledby="columns-remarks">
      <h2 id="columns-remarks">{text.remarks}</h2>
      <ul>
        {remarks.map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
    </section>
  );
}

function Readings({
  draft,
  count,
  text,
  onChange,
}: {
  readonly draft: Draft;
  readonly count: number;
  readonly text: ColumnsWords;
  readonly onChange: (reading: Draft['reading']) => void;
}) {
  if (count === 0) return undefined;
  return (
    <fieldset class="readings">
      <legend>{text.asYears(count)}</legend>
      {yearReadings.map((reading) => (
        <label key={reading}>
          <input
            type="radio"
            name="reading"
            checked={draft.reading === reading}
            onChange={() => onChange(reading)}
          />{' '}
          {text.readings[reading]}
        </label>
      ))}
    </fieldset>
  );
}

/** Columns in different units: a warning, and the choice of one unit for all if they measure one quantity. */
function UnitsOfColumns({
  draft,
  text,
  onChange,
}: {
  readonly draft: Draft;
  readonly text: ColumnsWords;
  readonly onChange: ((unit: string | undefined) => void) | undefined;
}) {
  const { all, unknown, areOfOneQuantity, chosen } = unitsIn(draft);
  if (all.length < 2) return undefined;
  return (
    <fieldset class="readings units">
      <legend>{text.unitsDiffer(all.slice(0, 6))}</legend>
      {!areOfOneQuantity && <p class="wrong">{text.otherQuantities}</p>}
      {areOfOneQuantity &&
        [undefined, ...all].map((unit) => (
          <label key={unit ?? ''}>
            <input
              type="radio"
              name="unit"
              disabled={onChange === undefined}
              checked={unit === chosen}
              onChange={() => onChange?.(unit)}
            />{' '}
            {unit === undefined ? text.asInFile : text.convertTo(unit)}
          </label>
        ))}
      {unknown > 0 && <p class="small muted">{text.withoutUnit(count(unknown))}</p>}
    </fieldset>
  );
}
