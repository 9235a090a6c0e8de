import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { type Refused, refusedOf } from '../service/fetch.ts';
import { words } from '../words/words.ts';
import { useAction } from './hooks.ts';
import { sentenceOf } from './loading.tsx';

/** A modal dialog, open while it is rendered. Escape closes it; a click beside it closes one that is not large. */
export function Dialog({
  title,
  isLarge = false,
  onClose,
  children,
}: {
  readonly title: string;
  /** True for work of several steps, which a stray click must not end. */
  readonly isLarge?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isLarge ? 'large' : undefined}
      aria-labelledby={titleId}
      onClose={onClose}
      closedby={isLarge ? 'closerequest' : 'any'}
    >
      <div class="stack">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** The changed fields of a form, with their current values. */
export type Changes = Readonly<Record<string, string>>;

/** A form in a dialog. If saving fails, the dialog stays open and shows the reason; without a change nothing is sent. */
export function FormDialog({
  title,
  isLoading = false,
  save,
  onClose,
  children,
}: {
  readonly title: string;
  /** True while fields load: nothing can be saved yet. */
  readonly isLoading?: boolean;
  readonly save: (changes: Changes) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { dataset: text, failure: failures } = words();
  const form = useRef<HTMLFormElement>(null);
  /** The initial value of each field: a browser may show a text differently from the stored one. */
  const before = useRef<ReadonlyMap<string, string>>(new Map());
  useLayoutEffect(() => {
    before.current = new Map([...fieldsOf(form.current), ...before.current]);
  });
  const saving = useAction(async () => {
    const changed = [...fieldsOf(form.current)].filter(([name, value]) => before.current.get(name) !== value);
    if (changed.length > 0) await save(Object.fromEntries(changed));
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLoading) saving.run();
        }}
      >
        {children}
        {isLoading && (
          <p class="muted" role="status">
            {failures.loading}
          </p>
        )}
        <p class="wrong" role="alert">
          {saving.failure}
        </p>
        <FormActions label={text.save} isDisabled={isLoading || saving.isRunning} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface FormActionsProps {
  /** Label of the button that submits the form. */
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onCancel: () => void;
}

/** The buttons of a form in a dialog: submit and cancel. */
export function FormActions({ label, isDisabled = false, onCancel }: FormActionsProps) {
  return (
    <div class="actions">
      <button type="submit" class="button primary" disabled={isDisabled}>
        {label}
      </button>
      <button type="button" class="button" onClick={onCancel}>
        {words().shell.cancel}
      </button>
    </div>
  );
}

/** Returns the texts of the fields of a form, by name. */
export function fieldsOf(form: HTMLFormElement | null): ReadonlyMap<string, string> {
  const entries = form === null ? [] : [...new FormData(form)];
  return new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

/**
 * Asks for confirmation, then changes datasets one by one. Closes when all are changed; otherwise shows how many are
 * not, and why. `onDone` gets their ids.
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
  /** False until the data that the change needs are loaded. */
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

/** Changes each dataset; datasets that no longer exist count as changed. */
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
