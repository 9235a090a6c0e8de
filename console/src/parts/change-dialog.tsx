import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { type Refused, refusedOf } from '../service/ask.ts';
import { words } from '../words/words.ts';
import { sentenceOf } from './failure.tsx';

/**
 * Asks once, then changes datasets one after another. Closes when all are changed, else says how many are not and why;
 * `onDone` gets their ids.
 */
export function ChangeDialog({
  ids,
  title,
  action,
  isDanger = false,
  isReady = true,
  change,
  onClose,
  onDone,
  children,
}: {
  readonly ids: readonly string[];
  readonly title: string;
  readonly action: string;
  readonly isDanger?: boolean;
  /** False until what the change needs is known. */
  readonly isReady?: boolean;
  readonly change: (id: string) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onDone: (unchanged: readonly string[]) => void;
  readonly children: ComponentChildren;
}) {
  const { selection: text, shell } = words();
  const isChanging = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const changeAll = async (): Promise<void> => {
    isChanging.value = true;
    failure.value = undefined;
    const { unchanged, reason } = await changeEach(ids, change);
    isChanging.value = false;
    if (reason !== undefined) failure.value = `${text.unchanged(unchanged.length)} ${sentenceOf(reason)}`;
    onDone(unchanged);
    if (reason === undefined) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <p class="wrong" role="alert">
        {failure.value}
      </p>
      <div class="actions">
        <button
          type="button"
          class={`button ${isDanger ? 'danger' : 'primary'}`}
          disabled={!isReady || isChanging.value}
          onClick={() => void changeAll()}
        >
          {action}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {shell.cancel}
        </button>
      </div>
    </Dialog>
  );
}

/** Those that are gone already count as changed. */
async function changeEach(
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
): Promise<{ readonly unchanged: readonly string[]; readonly reason: Refused | undefined }> {
  const unchanged: string[] = [];
  let reason: Refused | undefined;
  for (const id of ids) {
    try {
      await change(id);
    } catch (error) {
      const refused = refusedOf(error);
      if (refused.status === 404) continue;
      unchanged.push(id);
      reason = refused;
    }
  }
  return { unchanged, reason };
}
