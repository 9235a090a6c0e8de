import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { refusedOf } from '../service/ask.ts';
import { words } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { sentenceOf } from './failure.tsx';

/** The changed fields of a form, with their present values. */
export type Changes = Readonly<Record<string, string>>;

/** Fields in a dialog. What refuses to be saved says why and leaves it open; without a change nothing is sent. */
export function FormDialog({
  title,
  isLoading = false,
  save,
  onClose,
  children,
}: {
  readonly title: string;
  /** Fields are still to come: nothing can be saved yet. */
  readonly isLoading?: boolean;
  readonly save: (changes: Changes) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { dataset: text, shell, failure: failures } = words();
  const failure = useSignal<string | undefined>(undefined);
  const isSaving = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  /** Each field as it came: a browser may show a text otherwise than it is stored. */
  const before = useRef<ReadonlyMap<string, string>>(new Map());
  useLayoutEffect(() => {
    before.current = new Map([...fieldsOf(form.current), ...before.current]);
  });
  const send = async (): Promise<void> => {
    if (isLoading || isSaving.peek()) return;
    const changed = [...fieldsOf(form.current)].filter(([name, value]) => before.current.get(name) !== value);
    isSaving.value = true;
    failure.value = undefined;
    try {
      if (changed.length > 0) await save(Object.fromEntries(changed));
      onClose();
    } catch (error) {
      failure.value = sentenceOf(refusedOf(error));
    } finally {
      isSaving.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children}
        {isLoading && (
          <p class="muted" role="status">
            {failures.loading}
          </p>
        )}
        <p class="wrong" role="alert">
          {failure.value}
        </p>
        <div class="actions">
          <button type="submit" class="button primary" disabled={isLoading || isSaving.value}>
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

function fieldsOf(form: HTMLFormElement | null): ReadonlyMap<string, string> {
  const entries = form === null ? [] : [...new FormData(form)];
  return new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
