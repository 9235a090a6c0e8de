import { useSignal } from '@preact/signals';
import { address } from '../../address/address.ts';
import type { ComponentChildren } from 'preact';
import type { LandscapeGraph, LandscapeRun } from '../../service/landscape-types.ts';
import type { HeldRecord } from '../../service/runs.ts';
import type { LandscapeWords } from '../landscape/words/words.ts';
import { LazyOwnAreas } from '../areas/lazy-areas.tsx';
import { LazyDossier } from './dossier/lazy-dossier.tsx';
import { LazyWhere } from '../limits/lazy-limits.tsx';
import { LazyPolygons } from './polygons/lazy-polygons.tsx';
import { LineageFiles } from './outputs/lineage-files.tsx';
import { RunGaps } from './outputs/run-gaps.tsx';
import { RecordHistory } from './record/record-history.tsx';
import { RunAtlas } from './outputs/run-atlas.tsx';
import { RunReport } from './outputs/run-report.tsx';

/** The report, source files, holes and record history of a run. */
export function Records({
  run,
  graph,
  held,
  zoningId,
  words,
}: {
  readonly run: LandscapeRun;
  readonly graph: LandscapeGraph;
  readonly held: HeldRecord | undefined;
  readonly zoningId: string | undefined;
  readonly words: LandscapeWords;
}) {
  const { atlas, gaps, lineage, record, report } = words.runs;
  return (
    <div class="records">
      {run.status === 'succeeded' && (
        <Disclosure label={report.title}>
          <RunReport id={run.id} name={held?.record.name ?? report.title} words={words} />
        </Disclosure>
      )}
      {run.status === 'succeeded' && (
        <Disclosure label={words.dossier.title} isInitiallyOpen={address.peek().query.has('with')}>
          <LazyDossier runId={run.id} name={held?.record.name ?? words.dossier.title} words={words} />
        </Disclosure>
      )}
      {run.status === 'succeeded' && zoningId !== undefined && (
        <Disclosure label={atlas.title}>
          <RunAtlas id={run.id} zoningId={zoningId} name={held?.record.name ?? atlas.title} words={words} />
        </Disclosure>
      )}
      {zoningId !== undefined && (
        <Disclosure label={lineage.title}>
          <LineageFiles id={zoningId} words={words} />
        </Disclosure>
      )}
      {run.status === 'succeeded' && (
        <Disclosure label={gaps.title}>
          <RunGaps id={run.id} graph={graph} words={words} />
        </Disclosure>
      )}
      {zoningId !== undefined && (
        <Disclosure label={words.areas.own.title}>
          <LazyOwnAreas runId={run.id} words={words} />
        </Disclosure>
      )}
      {zoningId !== undefined && (
        <Disclosure label={words.polygons.title}>
          <LazyPolygons runId={run.id} words={words} />
        </Disclosure>
      )}
      {zoningId !== undefined && (
        <Disclosure label={words.limits.where.title} isInitiallyOpen={address.peek().query.has('where')}>
          <LazyWhere runId={run.id} zoningId={zoningId} graph={graph} words={words} />
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
function Disclosure({
  label,
  isInitiallyOpen = false,
  children,
}: {
  readonly label: string;
  readonly isInitiallyOpen?: boolean;
  readonly children: ComponentChildren;
}) {
  const isOpen = useSignal(isInitiallyOpen);
  return (
    <details
      class="fold"
      open={isOpen.value}
      onToggle={(event) => void (isOpen.value = event.currentTarget.open)}
    >
      <summary>{label}</summary>
      {isOpen.value && children}
    </details>
  );
}
