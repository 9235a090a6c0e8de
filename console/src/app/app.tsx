import type { ComponentChildren } from 'preact';
import { CataloguePage } from '../pages/catalogue/catalogue-page.tsx';
import { LazyConnect } from '../pages/connect/lazy-connect.tsx';
import { LazyColumns } from '../pages/columns/lazy-columns.tsx';
import { DatasetPage } from '../pages/dataset/dataset-page.tsx';
import { DatasetsPage } from '../pages/datasets/datasets-page.tsx';
import { LazyLandscape } from '../pages/landscape/lazy-landscape.tsx';
import { LazyMapPage } from '../pages/map/lazy-map.tsx';
import { LazyStyle } from '../pages/style/lazy-style.tsx';
import { HaltedDemonstration } from '../pages/welcome/welcome-page.tsx';
import { DropZone } from '../uploads/drop-zone.tsx';
import { Spreadsheets } from '../uploads/spreadsheets.tsx';
import { Tray } from '../uploads/tray.tsx';
import { words } from '../words/words.ts';
import { address, hrefOf } from '../address/address.ts';
import { useTitle } from '../parts/hooks.ts';
import { Shell } from './shell.tsx';
import { TokenDialog } from './token-dialog.tsx';

/** An id of the service; an address with anything else names no dataset. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The page that the address names, in its shell. */
export function App() {
  return (
    <Shell>
      <HaltedDemonstration />
      {pageOf(address.value.path)}
      <TokenDialog />
      <DropZone />
      <Spreadsheets />
      <Tray />
    </Shell>
  );
}

function pageOf([section, id, ...rest]: readonly string[]): ComponentChildren {
  if (section === undefined || (section === 'datasets' && id === undefined)) return <DatasetsPage />;
  if (section === 'datasets' && id !== undefined && uuid.test(id) && rest.length === 0)
    return <DatasetPage key={id} id={id} />;
  if (section === 'datasets' && id !== undefined && uuid.test(id) && rest.join('/') === 'style')
    return <LazyStyle key={id} id={id} />;
  if (section === 'datasets' && id !== undefined && uuid.test(id) && rest.join('/') === 'columns')
    return <LazyColumns key={id} id={id} />;
  if (section === 'catalogue' && id === undefined) return <CataloguePage />;
  if (section === 'map' && id === undefined) return <LazyMapPage />;
  if (section === 'connect' && isConnectPath(id, rest))
    return <LazyConnect kind={id} id={rest[0]} key={`${id} ${rest[0]}`} />;
  const below = id === undefined ? [] : [id, ...rest];
  if (section === 'landscape' && isLandscapePath(below)) return <LazyLandscape path={below} />;
  return <NotFound />;
}

/** All of the service, or one dataset, group or run of it. */
function isConnectPath(kind: string | undefined, [id, ...more]: readonly string[]): boolean {
  if (kind === undefined) return true;
  return (
    ['datasets', 'groups', 'runs'].includes(kind) && id !== undefined && uuid.test(id) && more.length === 0
  );
}

/** The inputs with the plan, the runs, one run, its zoning that is judged, two runs, or the results. */
function isLandscapePath([part, id, ...rest]: readonly string[]): boolean {
  const isOfRun = part === 'runs' && id !== undefined && uuid.test(id);
  if (isOfRun && rest.join('/') === 'judge') return true;
  if (part === 'compare') return rest.length < 2 && [id, ...rest].every(isRunOrNone);
  if (rest.length > 0) return false;
  if (part === 'runs') return id === undefined || isOfRun;
  return id === undefined && (part === undefined || part === 'results');
}

/** A dash stands for a run that is not chosen yet. */
const isRunOrNone = (id: string | undefined): boolean => id === undefined || id === '-' || uuid.test(id);

function NotFound() {
  const { shell } = words();
  useTitle(shell.notFound);
  return (
    <div class="empty">
      <h1 tabIndex={-1}>{shell.notFound}</h1>
      <a class="button" href={hrefOf([])}>
        {shell.toData}
      </a>
    </div>
  );
}
