import { useSignal } from '@preact/signals';
import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { useAction, useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { OriginOf } from '../../parts/origin.tsx';
import { Status, Typed } from '../../parts/signs.tsx';
import { may } from '../../service/capabilities.ts';
import { isEnd, useFollowed } from '../../service/follow-status.ts';
import { datasetName } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import { useStatistics } from '../../service/statistics.ts';
import type { Dataset } from '../../service/types.ts';
import { get, post } from '../../service/request.ts';
import { language, words } from '../../words/words.ts';
import { unitsAsked } from '../areas/asked.ts';
import { DeleteDialog, EditDialog } from './dialogs.tsx';
import { Facts, Remarks } from './facts.tsx';
import { Files } from './files.tsx';
import { hasClasses, Statistics } from './statistics.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { mapWords } from '../../map/words/words.ts';
import { referencesWords } from '../references/words/words.ts';
import { areasWords } from '../areas/words/words.ts';

const UnitAreas = lazy(async () => (await import('../areas/unit-areas.tsx')).UnitAreas, areasWords);
const MiniMap = lazy(async () => (await import('../../map/mini-map.tsx')).MiniMap, mapWords);
const ReferenceSection = lazy(
  async () => (await import('../references/reference-section.tsx')).ReferenceSection,
  referencesWords,
);
const RateSection = lazy(async () => (await import('../rates/rate-section.tsx')).RateSection, mapWords);

/** Everything about a dataset. */
export function DatasetPage({ id }: { readonly id: string }) {
  const { resource, reload } = useResource(
    `${id} ${language()}`,
    async (signal) => await get('/datasets/{id}', { path: { id }, signal }),
  );
  const { value: dataset, failure } = resource.value;
  const { dataset: text, datasets } = words();
  useTitle(dataset === undefined ? datasets.title : datasetName(dataset));
  useFollowed(dataset, reload);
  return (
    <article class="dataset">
      <p class="small">
        <a href={hrefOf(['datasets'])}>‹ {text.back}</a>
      </p>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {dataset === undefined && failure === undefined && <Waiting />}
      {dataset !== undefined && <Loaded dataset={dataset} reload={reload} />}
    </article>
  );
}

function Loaded({ dataset, reload }: { readonly dataset: Dataset; readonly reload: () => void }) {
  const { dataset: text } = words();
  const isRead = isEnd(dataset.status);
  const isRaster = dataset.file_type === 'raster' && dataset.status === 'ready';
  const statistics = useStatistics(dataset.id, isRaster);
  const bands = statistics.value?.bands ?? [];
  const asked = unitsAsked();
  const unit = address.value.query.get('unit') ?? undefined;
  const isTable = dataset.file_type === 'vector_with_kato' && dataset.status === 'ready';
  const isRated = address.value.query.get('rate') === '1';
  const report = useResource(`${dataset.id} ${dataset.updated_at} ${language()}`, async (signal) =>
    isRead ? await get('/datasets/{id}/report', { path: { id: dataset.id }, signal }) : undefined,
  );
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>
          <Typed type={dataset.file_type}>{datasetName(dataset)}</Typed>
        </h1>
        <Status status={dataset.status} progress={dataset.progress} />
        <span class="spacer" />
        <Actions dataset={dataset} reload={reload} />
      </div>
      {dataset.parse_error !== null && <Failed dataset={dataset} reload={reload} />}
      {dataset.status === 'awaiting_mapping' && (
        <div class="notice">
          <p>{text.columnsHint}</p>
          <a class="button primary" href={hrefOf(['datasets', dataset.id, 'columns'])}>
            {text.chooseColumns}
          </a>
        </div>
      )}
      <div class="columns">
        {dataset.status === 'ready' && (
          <section class="sheet pad stack">
            <MiniMap
              ids={[dataset.id]}
              unit={unit}
              unitLevel={asked === 'all' ? undefined : asked}
              onUnit={chooseUnit}
            />
            <p>
              <a href={hrefOf(['datasets', dataset.id, 'style'])}>{text.style}</a>
            </p>
          </section>
        )}
        <div class="stack">
          <section class="sheet pad" aria-labelledby="facts">
            <h2 id="facts">{text.facts}</h2>
            <Facts dataset={dataset} report={report.resource.value.value} />
            <OriginOf id={dataset.id} isStated />
          </section>
          {dataset.reference !== undefined && <ReferenceSection dataset={dataset} reload={reload} />}
          {isRaster && (
            <section class="sheet pad" aria-labelledby="statistics">
              <h2 id="statistics">{words().statistics.title}</h2>
              <Statistics dataset={dataset} view={statistics} />
            </section>
          )}
          <section class="sheet pad" aria-labelledby="remarks">
            <h2 id="remarks">{text.remarks}</h2>
            <Remarks report={report.resource.value} isRead={isRead} retry={report.reload} />
          </section>
          <section class="sheet pad" aria-labelledby="files">
            <h2 id="files">{text.files}</h2>
            <Files dataset={dataset} />
            {dataset.status === 'ready' && (
              <p>
                <a href={hrefOf(['connect', 'datasets', dataset.id])}>{words().shell.useElsewhere}</a>
              </p>
            )}
          </section>
        </div>
      </div>
      {isTable && (
        <p>
          <a href={hrefOf(['registers', dataset.id])}>{text.compareRegisters}</a>
        </p>
      )}
      {isTable && (
        <details
          class="sheet pad by-units"
          open={isRated}
          onToggle={({ currentTarget: { open } }) => {
            if (open !== isRated) replaceQuery({ rate: open ? '1' : undefined });
          }}
        >
          <summary>
            <h2>{text.rates}</h2>
          </summary>
          {isRated && <RateSection id={dataset.id} name={datasetName(dataset)} />}
        </details>
      )}
      {bands.length === 1 && bands.every(hasClasses) && (
        <details
          class="sheet pad by-units"
          open={asked !== undefined}
          onToggle={({ currentTarget: { open } }) => {
            if (open !== (asked !== undefined))
              replaceQuery({ areas: open ? 'district' : undefined, unit: undefined });
          }}
        >
          <summary>
            <h2>{words().statistics.byUnits}</h2>
          </summary>
          {asked !== undefined && (
            <UnitAreas
              id={dataset.id}
              name={datasetName(dataset)}
              chosen={unit}
              onUnit={(chosen) => {
                chooseUnit(chosen);
                document.querySelector('.mini-map')?.scrollIntoView({ block: 'nearest' });
              }}
            />
          )}
        </details>
      )}
    </>
  );
}

function chooseUnit(unit: string | undefined): void {
  replaceQuery({ unit });
}

/** The reason why the file could not be used, and a button that reads it again; the status shows the result. */
function Failed({ dataset, reload }: { readonly dataset: Dataset; readonly reload: () => void }) {
  const { dataset: text } = words();
  const again = useAction(async () => {
    await post('/datasets/{id}/retry', { path: { id: dataset.id } });
    reload();
  });
  return (
    <div class="notice failed">
      <h2>{text.failedTitle}</h2>
      <p>{dataset.parse_error}</p>
      {may('data:write') && (
        <button type="button" class="button" disabled={again.isRunning} onClick={again.run}>
          {text.again}
        </button>
      )}
      <p class="wrong" role="alert">
        {again.failure}
      </p>
    </div>
  );
}

function Actions({ dataset, reload }: { readonly dataset: Dataset; readonly reload: () => void }) {
  const { dataset: text } = words();
  const open = useSignal<'edit' | 'delete' | undefined>(undefined);
  if (!may('data:write')) return undefined;
  const close = (): void => void (open.value = undefined);
  return (
    <span class="actions">
      {dataset.kato_column !== null && (
        <a class="button" href={hrefOf(['datasets', dataset.id, 'columns'])}>
          {text.columns}
        </a>
      )}
      <button type="button" class="button" onClick={() => void (open.value = 'edit')}>
        {text.edit}
      </button>
      <button type="button" class="button danger" onClick={() => void (open.value = 'delete')}>
        {text.remove}
      </button>
      {open.value === 'edit' && (
        <EditDialog
          dataset={dataset}
          onClose={close}
          onSaved={() => {
            close();
            reload();
          }}
        />
      )}
      {open.value === 'delete' && (
        <DeleteDialog
          id={dataset.id}
          name={datasetName(dataset)}
          onClose={close}
          onDeleted={() => void (location.hash = hrefOf(['datasets']))}
        />
      )}
    </span>
  );
}
