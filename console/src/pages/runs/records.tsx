import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { LandscapeRun } from '../../service/landscape-types.ts';
import type { HeldRecord } from '../../service/runs.ts';
import type { LandscapeWords } from '../../words/landscape/words.ts';
import { LineageFiles } from './lineage-files.tsx';
import { RecordHistory } from './record-history.tsx';

/** What stands behind a run: the files that its zoning stems from, and all that people have said of it. */
export function Records({
  run,
  held,
  zoningId,
  words,
}: {
  readonly run: LandscapeRun;
  readonly held: HeldRecord | undefined;
  readonly zoningId: string | undefined;
  readonly words: LandscapeWords;
}) {
  const { lineage, record } = words.runs;
  return (
    <div class="records">
      {zoningId !== undefined && (
        <Disclosure label={lineage.title}>
          <LineageFiles id={zoningId} words={words} />
        </Disclosure>
      )}
      {held !== undefined && (
        <Disclosure label={record.history}>
          <RecordHistory id={run.id} revision={held.record.revision} words={words} />
        </Disclosure>
      )}
    </div>
  );
}

/** Content that is asked for when it is opened, not before. */
function Disclosure({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const isOpen = useSignal(false);
  return (
    <details class="fold" onToggle={(event) => void (isOpen.value = event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen.value && children}
    </details>
  );
}
