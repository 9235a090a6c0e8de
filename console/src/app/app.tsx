import { Fragment } from 'preact';
import { HaltedDemonstration } from '../pages/welcome/welcome-page.tsx';
import { DropZone } from '../uploads/drop-zone.tsx';
import { Spreadsheets } from '../uploads/spreadsheets.tsx';
import { Tray } from '../uploads/tray.tsx';
import { words } from '../words/words.ts';
import { address, hrefOf } from '../address/address.ts';
import { FormActions } from '../parts/dialogs.tsx';
import { useTitle } from '../parts/hooks.ts';
import { pageAt } from './pages.tsx';
import { Shell } from './shell.tsx';
import { useEffect, useRef } from 'preact/hooks';
import { applyToken, declineToken, tokenDialog } from '../service/token.ts';

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

/** Asks for a token while a request waits for one. */
function TokenDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = tokenDialog.value;
  useEffect(() => {
    if (asked === undefined) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [asked]);
  const { token } = words();
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const given = new FormData(event.currentTarget).get('token');
    if (typeof given === 'string' && given.trim() !== '') applyToken(given.trim());
  };
  return (
    <dialog ref={dialog} aria-labelledby="token-title" onCancel={declineToken}>
      <form class="stack" onSubmit={send}>
        <h2 id="token-title">{token.title}</h2>
        <p>{token.why}</p>
        <label class="field">
          <span>{token.field}</span>
          <input
            name="token"
            type="password"
            autocomplete="off"
            required
            aria-describedby={asked?.wasRefused === true ? 'token-wrong' : undefined}
            aria-invalid={asked?.wasRefused === true}
          />
        </label>
        {asked?.wasRefused === true && (
          <p id="token-wrong" class="wrong" role="alert">
            {token.wrong}
          </p>
        )}
        <p class="small muted">{token.kept}</p>
        <FormActions label={token.use} onCancel={declineToken} />
      </form>
    </dialog>
  );
}
