import { useSignal } from '@preact/signals';
import { Dialog } from '../../parts/dialog.tsx';
import { ask, Refused } from '../../service/ask.ts';
import { words } from '../../words/words.ts';

/** Asks once before a dataset goes for good. */
export function DeleteDialog({
  id,
  name,
  onClose,
  onDeleted,
}: {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const { dataset: text, shell, failure: failures } = words();
  const failure = useSignal<string | undefined>(undefined);
  const remove = async (): Promise<void> => {
    try {
      await ask(`/datasets/${id}`, { method: 'DELETE' });
      onDeleted();
    } catch (error) {
      // It is gone already: somebody else was faster.
      if (error instanceof Refused && error.status === 404) onDeleted();
      else failure.value = (error instanceof Refused && error.message) || failures.network;
    }
  };
  return (
    <Dialog title={text.removeTitle(name)} onClose={onClose}>
      <p>{text.removeText}</p>
      <p class="wrong" role="alert">
        {failure.value}
      </p>
      <div class="actions">
        <button type="button" class="button danger" onClick={() => void remove()}>
          {text.remove}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {shell.cancel}
        </button>
      </div>
    </Dialog>
  );
}
