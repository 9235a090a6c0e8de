import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useMedia, useTitle } from '../../parts/hooks.ts';
import { PageLinks, pageParameter } from '../../parts/page-links.tsx';
import { useResource } from '../../service/resource.ts';
import { changes } from '../../uploads/follow.ts';
import { ChooseFiles } from '../../uploads/drop-zone.tsx';
import { words } from '../../words/words.ts';
import { WelcomePage } from '../welcome/welcome-page.tsx';
import { Categories } from './categories.tsx';
import { DatasetRows } from './dataset-rows.tsx';
import { listDatasets, useNews } from './news.ts';
import { Filters } from './filters.tsx';
import { Selection, useSelection } from './selection.tsx';
import type { ComponentChildren } from 'preact';
import { lazy } from '../../parts/lazy.tsx';
import { referencesWords } from '../references/words/words.ts';
import { may } from '../../service/capabilities.ts';
import { formsWords } from '../forms/words/words.ts';
import { seriesWords } from '../series/words/words.ts';

const GroupSeries = lazy(async () => (await import('../series/group-series.tsx')).GroupSeries, seriesWords);

const GroupForms = lazy(async () => (await import('../forms/group-forms.tsx')).GroupForms, formsWords);

const ReferenceDialog = lazy(
  async () => (await import('../references/reference-dialog.tsx')).ReferenceDialog,
  referencesWords,
);

const pageSize = '50';

/** The datasets that match the filters in the address; the welcome page if there are none at all. */
export function DatasetsPage() {
  const { query } = address.value;
  const filter = {
    category_id: query.get('category') ?? undefined,
    dg_id: query.get('group') ?? undefined,
    file_type: query.get('type') ?? undefined,
    status: query.get('status') ?? undefined,
    q: query.get('q') ?? undefined,
    start_date_from: dayIn(query, 'from'),
    end_date_to: dayIn(query, 'to'),
    page: query.get('page') ?? undefined,
    page_size: pageSize,
  };
  const { resource, reload } = useResource(
    JSON.stringify(filter),
    async (signal) => await listDatasets(filter, signal),
    changes.value,
  );
  const selected = useSelection(JSON.stringify(filter));
  const { datasets } = words();
  const lastPage = resource.value.value?.total_pages;
  useEffect(() => {
    // The rows of the last page may have been deleted or moved.
    if (lastPage !== undefined && Number(filter.page ?? 1) > Math.max(lastPage, 1))
      replaceQuery({ page: pageParameter(lastPage) });
  }, [lastPage, filter.page]);
  const { value, failure, isLoading } = resource.value;
  const { rows, added } = useNews(filter, value);
  const isEmpty = value?.total === 0;
  useEffect(() => {
    // An empty list can be reloaded at once, since no rows move.
    if (isEmpty && added !== undefined) reload();
  }, [isEmpty, added]);
  useTitle(datasets.title);
  const isFiltered = [...query.keys()].length > 0;
  if (value !== undefined && value.total === 0 && !isFiltered) return <WelcomePage />;
  return (
    <div class="with-side">
      <Fold label={datasets.categories}>
        <Categories />
      </Fold>
      <section aria-labelledby="datasets-title" aria-busy={isLoading}>
        <div class="page-head">
          <h1 id="datasets-title" tabIndex={-1}>
            {datasets.title}
          </h1>
          <p class="muted" role="status">
            {value !== undefined && datasets.count(value.total)}
          </p>
          <span class="spacer" />
          <ByAddress />
          <ChooseFiles label={datasets.upload} isPrimary />
        </div>
        <Fold label={datasets.filters}>
          <Filters />
        </Fold>
        {filter.dg_id !== undefined && (
          <p>
            <a href={hrefOf(['connect', 'groups', filter.dg_id])}>{words().shell.useElsewhere}</a>
          </p>
        )}
        {filter.dg_id !== undefined && <OfGroup group={filter.dg_id} />}
        {failure !== undefined && <Failure failure={failure} retry={reload} />}
        {value === undefined && failure === undefined && <Waiting />}
        {value !== undefined && value.total > 0 && (
          <>
            <Selection datasets={rows} selected={selected} />
            <Renewal added={added} page={value.page} reload={reload} />
            <DatasetRows
              datasets={rows}
              selected={selected.value}
              onSelect={(ids) => void (selected.value = ids)}
            />
          </>
        )}
        {value !== undefined && value.total === 0 && (
          <div class="empty">
            <p>{datasets.none}</p>
            <a class="button" href={hrefOf(['datasets'])}>
              {datasets.clear}
            </a>
          </div>
        )}
        {value !== undefined && (
          <PageLinks
            path={['datasets']}
            page={value.page}
            pages={value.total_pages}
            label={datasets.page(value.page, value.total_pages)}
          />
        )}
      </section>
    </div>
  );
}

/** A button that opens the form for a raster of another server. */
function ByAddress() {
  const isOpen = useSignal(false);
  if (!may('data:write')) return undefined;
  return (
    <>
      <button type="button" class="button" onClick={() => void (isOpen.value = true)}>
        {words().datasets.byAddress}
      </button>
      {isOpen.value && <ReferenceDialog onClose={() => void (isOpen.value = false)} />}
    </>
  );
}

/** The statistics of a group over time and its forms, each folded until it is opened. */
function OfGroup({ group }: { readonly group: string }) {
  const { datasets } = words();
  const { query } = address.value;
  const parts = [
    { name: 'series', label: datasets.overTime, part: <GroupSeries key={group} group={group} /> },
    { name: 'forms', label: datasets.forms, part: <GroupForms key={group} group={group} /> },
  ] as const;
  const isOpen = (name: string): boolean => query.get(name) === '1';
  return (
    <>
      <div class="actions">
        {parts.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            class="button"
            aria-expanded={isOpen(name)}
            onClick={() => replaceQuery({ [name]: isOpen(name) ? undefined : '1' })}
          >
            {label}
          </button>
        ))}
      </div>
      {parts.map(({ name, part }) => isOpen(name) && part)}
    </>
  );
}

/** Offers to show datasets that others have added or deleted, instead of moving rows while they are read. */
function Renewal({
  added,
  page,
  reload,
}: {
  readonly added: number | undefined;
  readonly page: number;
  readonly reload: () => void;
}) {
  const { datasets } = words();
  const show = (): void => {
    if (page > 1) replaceQuery({ page: undefined });
    else reload();
    scrollTo(0, 0);
  };
  return (
    <p class="renewal" role="status">
      {added !== undefined && (
        <button type="button" class="button" onClick={show}>
          ↻ {added > 0 ? datasets.added(added) : datasets.changed}
        </button>
      )}
    </p>
  );
}

/** A day in the address; undefined if it is invalid. */
function dayIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? '';
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}

const narrow = '(max-width: 860px)';

/** Folds its content behind a label on a narrow page; shows it elsewhere. */
export function Fold({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const isNarrow = useMedia(narrow);
  if (!isNarrow) return <>{children}</>;
  return (
    <details class="fold">
      <summary>{label}</summary>
      {children}
    </details>
  );
}
