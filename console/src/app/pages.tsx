import './frames.css';
import type { ComponentChildren, ComponentType } from 'preact';
import { mapWords } from '../map/words/words.ts';
import { areasWords } from '../pages/areas/words/words.ts';
import { CataloguePage } from '../pages/catalogue/catalogue-page.tsx';
import { columnsWords } from '../pages/columns/words/words.ts';
import { compareWords } from '../pages/compare/words/words.ts';
import { connectWords } from '../pages/connect/words/words.ts';
import { DatasetPage } from '../pages/dataset/dataset-page.tsx';
import { DatasetsPage } from '../pages/datasets/datasets-page.tsx';
import { dossierWords, polygonsWords, runsWords, watchWords } from '../pages/runs/words/words.ts';
import { inputsWords } from '../pages/inputs/words/words.ts';
import { judgeWords } from '../pages/judge/words/words.ts';
import { makeWords } from '../pages/make/words/words.ts';
import { limitsWords } from '../pages/limits/words/words.ts';
import { registersWords } from '../pages/registers/words/words.ts';
import { resultsWords } from '../pages/results/words/words.ts';
import { sourceFilesWords } from '../pages/source-files/words/words.ts';
import { styleWords } from '../pages/style/words/words.ts';
import { lazy } from '../parts/lazy.tsx';
import { address, hrefOf } from '../address/address.ts';
import { useTitle } from '../parts/hooks.ts';
import { words } from '../words/words.ts';

interface ScreenProps {
  /** The first id in the address; empty if it has none. */
  readonly id: string;
}

interface Page {
  /** `{id}` stands for an id of the service, `{run}` for one that may be missing, or a dash. */
  readonly path: string;
  readonly screen: ComponentType<ScreenProps>;
  /** Surrounds the screen, also while the script of the screen loads. */
  readonly frame?: ComponentType<{ readonly children: ComponentChildren }>;
}

const Connect = lazy(
  async () => (await import('../pages/connect/connect-page.tsx')).ConnectPage,
  connectWords,
);

const SourceFiles = lazy(
  async () => (await import('../pages/source-files/source-files-page.tsx')).SourceFilesPage,
  sourceFilesWords,
);

export const MapPage = lazy(async () => (await import('../pages/map/map-page.tsx')).MapPage, mapWords);

/** The pages by their addresses, each with its script and the words that are loaded with it. */
const pages: readonly Page[] = [
  { path: '', screen: DatasetsPage },
  { path: 'datasets', screen: DatasetsPage },
  { path: 'datasets/{id}', screen: DatasetPage },
  {
    path: 'datasets/{id}/style',
    screen: lazy(async () => (await import('../pages/style/style-page.tsx')).StylePage, styleWords, mapWords),
  },
  {
    path: 'datasets/{id}/columns',
    screen: lazy(
      async () => (await import('../pages/columns/columns-page.tsx')).ColumnsPage,
      columnsWords,
      mapWords,
    ),
  },
  {
    path: 'registers{run}{run}',
    screen: lazy(
      async () => (await import('../pages/registers/registers-page.tsx')).RegistersPage,
      registersWords,
      mapWords,
    ),
  },
  { path: 'source-files', screen: SourceFiles },
  { path: 'source-files/{id}', screen: SourceFiles },
  { path: 'catalogue', screen: CataloguePage },
  { path: 'map', frame: MapHeading, screen: MapPage },
  { path: 'connect', screen: Connect },
  { path: 'connect/datasets/{id}', screen: Connect },
  { path: 'connect/groups/{id}', screen: Connect },
  { path: 'connect/runs/{id}', screen: Connect },
  {
    path: 'landscape',
    frame: LandscapeFrame,
    screen: lazy(
      async () => (await import('../pages/inputs/inputs-page.tsx')).InputsPage,
      inputsWords,
      runsWords,
      watchWords,
    ),
  },
  {
    path: 'landscape/make',
    frame: LandscapeFrame,
    screen: lazy(async () => (await import('../pages/make/make-page.tsx')).MakePage, makeWords),
  },
  {
    path: 'landscape/runs',
    frame: LandscapeFrame,
    screen: lazy(async () => (await import('../pages/runs/runs-page.tsx')).RunsPage, runsWords, watchWords),
  },
  {
    path: 'landscape/runs/{id}',
    frame: LandscapeFrame,
    screen: lazy(
      async () => (await import('../pages/runs/run-page.tsx')).RunPage,
      runsWords,
      areasWords,
      dossierWords,
      limitsWords,
      polygonsWords,
    ),
  },
  {
    path: 'landscape/runs/{id}/judge',
    frame: LandscapeFrame,
    screen: lazy(
      async () => (await import('../pages/judge/judge-page.tsx')).JudgePage,
      judgeWords,
      runsWords,
      inputsWords,
      mapWords,
    ),
  },
  {
    path: 'landscape/compare{run}{run}',
    frame: LandscapeFrame,
    screen: lazy(
      async () => (await import('../pages/compare/compare-page.tsx')).ComparePage,
      compareWords,
      runsWords,
      mapWords,
    ),
  },
  {
    path: 'landscape/results',
    frame: LandscapeFrame,
    screen: lazy(
      async () => (await import('../pages/results/results-page.tsx')).ResultsPage,
      resultsWords,
      areasWords,
      runsWords,
    ),
  },
];

const uuid = '[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}';

const patterns = pages.map(({ path }) => {
  const pattern = path.replaceAll('{id}', uuid).replaceAll('{run}', `(?:/(?:-|${uuid}))?`);
  return new RegExp(`^${pattern}$`);
});

/** Finds the page of an address and the id in it. */
export function pageAt(path: readonly string[]): (Page & ScreenProps) | undefined {
  const written = path.join('/');
  const page = pages.find((_, index) => patterns[index]?.test(written));
  return page && { ...page, id: path[page.path.split('/').indexOf('{id}')] ?? '' };
}

/** The links to all pages of the Landscape Program, above the one that is open. */
function LandscapeFrame({ children }: { readonly children: ComponentChildren }) {
  const text = words().landscape;
  const [, section] = address.value.path;
  const sections = [
    { path: ['landscape'], name: text.inputs, isOpen: section === undefined || section === 'make' },
    { path: ['landscape', 'runs'], name: text.runs, isOpen: section === 'runs' || section === 'compare' },
    { path: ['landscape', 'results'], name: text.results, isOpen: section === 'results' },
  ];
  return (
    <>
      <nav class="sections" aria-label={text.title}>
        {sections.map(({ path, name, isOpen }) => (
          <a key={name} href={hrefOf(path)} aria-current={isOpen ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}

/** The heading of the map, for screen readers alone. */
function MapHeading({ children }: { readonly children: ComponentChildren }) {
  const { map } = words().shell;
  useTitle(map);
  return (
    <>
      <h1 tabIndex={-1} class="visually-hidden">
        {map}
      </h1>
      {children}
    </>
  );
}
