import { useSignal } from '@preact/signals';
import { address } from '../../address/address.ts';
import type { ComponentChildren } from 'preact';
import { LineageFiles } from './outputs/lineage-files.tsx';
import { RunGaps } from './outputs/run-gaps.tsx';
import { RecordHistory } from './record/record-history.tsx';
import { RunAtlas } from './outputs/run-atlas.tsx';
import { RunReport } from './outputs/run-report.tsx';
import { areasWords } from '../areas/words/words.ts';
import { dossierWords } from './dossier/words/words.ts';
import { limitsWords } from '../limits/words/words.ts';
import { polygonsWords } from './polygons/words/words.ts';
import { runsWords } from './words/words.ts';
import { mapWords } from '../../map/words/words.ts';
import { lazy } from '../../parts/lazy.tsx';
import type { LandscapeGraph, LandscapeRun } from '../../service/types.ts';
import type { HeldRecord } from './record/record-content.ts';

const RunDossier = lazy(
  async () => (await import('./dossier/run-dossier.tsx')).RunDossier,
  dossierWords,
  runsWords,
);
const OwnAreas = lazy(async () => (await import('../areas/own-areas.tsx')).OwnAreas, areasWords);
const RunPolygons = lazy(
  async () => (await import('./polygons/run-polygons.tsx')).RunPolygons,
  polygonsWords,
  areasWords,
);
const WherePart = lazy(
  async () => (await import('../limits/where-part.tsx')).WherePart,
  limitsWords,
  areasWords,
  mapWords,
);

/** The report, source files, holes and record history of a run. */
export function Records({
  run,
  graph,
  held,
  zoningId,
}: {
  readonly run: LandscapeRun;
  readonly graph: LandscapeGraph;
  readonly held: HeldRecord | undefined;
  readonly zoningId: string | undefined;
}) {
  const { atlas, gaps, lineage, record, report } = runsWords();
  return (
    <div class="records">
      {run.status === 'succeeded' && (
        <Disclosure label={report.title}>
          <RunReport id={run.id} name={held?.record.name ?? report.title} />
        </Disclosure>
      )}
      {run.status === 'succeeded' && (
        <Disclosure label={dossierWords().title} isInitiallyOpen={address.peek().query.has('with')}>
          <RunDossier runId={run.id} name={held?.record.name ?? dossierWords().title} />
        </Disclosure>
      )}
      {run.status === 'succeeded' && zoningId !== undefined && (
        <Disclosure label={atlas.title}>
          <RunAtlas id={run.id} zoningId={zoningId} name={held?.record.name ?? atlas.title} />
        </Disclosure>
      )}
      {zoningId !== undefined && (
        <Disclosure label={lineage.title}>
          <LineageFiles id={zoningId} />
        </Disclosure>
      )}
      {run.status === 'succeeded' && (
        <Disclosure label={gaps.title}>
          <RunGaps id={run.id} graph={graph} />
        </Disclosure>
      )}
      {zoningId !== undefined && (
        <Disclosure label={areasWords().own.title}>
          <OwnAreas runId={run.id} />
        </Disclosure>
      )}
      {zoningId !== undefined && (
        <Disclosure label={polygonsWords().title}>
          <RunPolygons runId={run.id} />
        </Disclosure>
      )}
      {zoningId !== undefined && (
        <Disclosure label={limitsWords().where.title} isInitiallyOpen={address.peek().query.has('where')}>
          <WherePart runId={run.id} zoningId={zoningId} graph={graph} />
        </Disclosure>
      )}
      {held !== undefined && (
        <Disclosure label={record.history}>
          <RecordHistory id={run.id} revision={held.record.revision} />
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
