import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Refused } from '../service/ask.ts';
import { words } from '../words/words.ts';
import { Dialog } from './dialog.tsx';

/** Fields in a dialog. What refuses to be saved says why and leaves it open. */
export function FormDialog({
  title,
  save,
  onClose,
  children,
}: {
  readonly title: string;
  readonly save: (form: FormData) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { dataset: text, shell, failure: failures } = words();
  const failure = useSignal<string | undefined>(undefined);
  const isSaving = useSignal(false);
  const send = async (form: HTMLFormElement): Promise<void> => {
    isSaving.value = true;
    try {
      await save(new FormData(form));
      onClose();
    } catch (error) {
      failure.value = (error instanceof Refused && error.message) || failures.network;
    } finally {
      isSaving.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send(event.currentTarget);
        }}
      >
        {children}
        <p class="wrong" role="alert">
          {failure.value}
        </p>
        <div class="actions">
          <button type="submit" class="button primary" disabled={isSaving.value}>
            {text.save}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
