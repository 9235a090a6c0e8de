import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Dialog, fieldsOf, FormActions } from '../../../parts/dialogs.tsx';
import { Choice, Field } from '../../../parts/fields.tsx';
import { sentenceOf } from '../../../parts/loading.tsx';
import { refusedOf } from '../../../service/fetch.ts';
import { words as pageWords } from '../../../words/words.ts';
import {
  contentOf,
  type RecordContent,
  recordStates,
  withChanges,
  getRecord,
  type VersionedRecord,
  putRecord,
} from './record-content.ts';
import { ContentFacts, WhoAndWhen } from './record-history.tsx';
import { runsWords } from '../words/words.ts';

interface RecordDialogProps {
  readonly held: VersionedRecord;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Changes name, note, state and basis of a run. A concurrent change by another person is shown and never lost. */
export function RecordDialog({ held, onClose, onSaved }: RecordDialogProps) {
  const { record: text } = runsWords();
  const { dataset } = pageWords();
  const form = useRef<HTMLFormElement>(null);
  /** The record when the form opened; fields that differ from it were edited here. */
  const opened = useRef(contentOf(held.record));
  /** The latest record known from the service. */
  const stored = useSignal(held);
  const isConflict = useSignal(false);
  const isAdopting = useSignal(false);
  const isSaving = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);

  const save = async (wanted: RecordContent): Promise<void> => {
    isSaving.value = true;
    failure.value = undefined;
    try {
      await putRecord(held.record.run_id, wanted, stored.peek().etag);
      onSaved();
    } catch (error) {
      const refused = refusedOf(error);
      if (refused.status === 412) await showTheirs();
      else failure.value = sentenceOf(refused);
      isAdopting.value = false;
    } finally {
      isSaving.value = false;
    }
  };
  const showTheirs = async (): Promise<void> => {
    try {
      stored.value = await getRecord(held.record.run_id);
      isConflict.value = true;
    } catch (error) {
      failure.value = `${text.conflict} ${sentenceOf(refusedOf(error))}`;
    }
  };
  const wantedNow = (): RecordContent =>
    withChanges(contentOf(stored.peek().record), opened.current, fieldsOf(form.current));
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isSaving.peek()) return;
    const wanted = wantedNow();
    if (wanted.state === 'adopted' && stored.peek().record.state !== 'adopted') isAdopting.value = true;
    else void save(wanted);
  };
  return (
    <Dialog title={isAdopting.value ? text.adoptTitle : text.title} onClose={onClose}>
      <form ref={form} class="stack" onSubmit={submit} hidden={isAdopting.value}>
        {isConflict.value && (
          <div class="notice failed" role="alert">
            <p>{text.conflict}</p>
            <p class="small muted">
              {text.theirs} <WhoAndWhen entry={stored.value.record} />
            </p>
            <ContentFacts content={contentOf(stored.value.record)} />
            <p>{text.conflictText}</p>
          </div>
        )}
        <Field label={text.name} name="name" value={opened.current.name} maxLength={255} />
        <Field label={text.note} name="note" value={opened.current.note} isLong />
        <Choice
          label={text.state}
          name="state"
          value={opened.current.state}
          options={recordStates.map((state) => ({ id: state, name: text.states[state] }))}
        />
        <Field
          label={text.basis}
          name="basis"
          value={opened.current.basis}
          maxLength={500}
          hint={text.basisHint}
        />
        <Failed sentence={failure.value} />
        <FormActions label={dataset.save} isDisabled={isSaving.value} onCancel={onClose} />
      </form>
      {isAdopting.value && (
        <>
          <p>{text.adoptText}</p>
          <div class="actions">
            <button
              type="button"
              class="button primary"
              disabled={isSaving.value}
              onClick={() => void save(wantedNow())}
            >
              {text.adopt}
            </button>
            <button type="button" class="button" onClick={() => void (isAdopting.value = false)}>
              {text.backToForm}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function Failed({ sentence }: { readonly sentence: string | undefined }) {
  return (
    <p class="wrong" role="alert">
      {sentence}
    </p>
  );
}
