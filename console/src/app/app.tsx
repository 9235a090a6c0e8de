import { Fragment } from 'preact';
import { HaltedDemonstration } from '../pages/welcome/welcome-page.tsx';
import { DropZone } from '../uploads/drop-zone.tsx';
import { Spreadsheets } from '../uploads/spreadsheets.tsx';
import { Tray } from '../uploads/tray.tsx';
import { words } from '../words/words.ts';
import { address, hrefOf } from '../address/address.ts';
import { useTitle } from '../parts/hooks.ts';
import { pageAt } from './pages.tsx';
import { Shell } from './shell.tsx';
import { TokenDialog } from './token-dialog.tsx';

/** The page that the address names, in its shell. */
export function App() {
  return (
    <Shell>
      <HaltedDemonstration />
      <Addressed path={address.value.path} />
      <TokenDialog />
      <DropZone />
      <Spreadsheets />
      <Tray />
    </Shell>
  );
}

function Addressed({ path }: { readonly path: readonly string[] }) {
  const page = pageAt(path);
  if (page === undefined) return <NotFound />;
  const { frame: Frame = Fragment, screen: Screen, id } = page;
  return (
    <Frame>
      <Screen key={id} id={id} />
    </Frame>
  );
}

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
