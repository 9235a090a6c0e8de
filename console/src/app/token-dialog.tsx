import { useEffect, useRef } from 'preact/hooks';
import { applyToken, declineToken, tokenDialog } from '../service/token.ts';
import { words } from '../words/words.ts';

/** Asks for a token while a request waits for one. */
export function TokenDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = tokenDialog.value;
  useEffect(() => {
    if (asked === undefined) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [asked]);
  const { token, shell } = words();
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
        <div class="actions">
          <button type="submit" class="button primary">
            {token.use}
          </button>
          <button type="button" class="button" onClick={declineToken}>
            {shell.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
