import { useSignal } from '@preact/signals';
import { address, hrefOf } from '../../address/address.ts';
import type { ComponentChildren } from 'preact';
import { LineageFiles } from './outputs/lineage-files.tsx';
import { RecordHistory } from './record/record-history.tsx';
import { RunAtlas } from './outputs/run-atlas.tsx';
import { areasWords } from '../areas/words/words.ts';
import { dossierWords, polygonsWords, runsWords } from './words/words.ts';
import { limitsWords } from '../limits/words/words.ts';
import { mapWords } from '../../map/words/words.ts';
import { lazy } from '../../parts/lazy.tsx';
import type { LandscapeGraph, LandscapeRun } from '../../service/types.ts';
import type { VersionedRecord } from './record/record-content.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { titleOfGroup } from './facts/reasons.ts';
import { get } from '../../service/request.ts';
import { FileLink } from '../../parts/file-link.tsx';
import { fileNameOf } from '../../parts/downloads.ts';
import { languages, namesOfLanguages } from '../../words/languages.ts';

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
  readonly held: VersionedRecord | undefined;
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

/** Content that is loaded when it is opened. */
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

/** The area that inputs leave without a zone: in total, and for each input with holes. */
function RunGaps({ id, graph }: { readonly id: string; readonly graph: LandscapeGraph }) {
  const { gaps: text } = runsWords();
  const { resource, reload } = useResource(
    `gaps ${id}`,
    async (signal) => await get('/landscape/runs/{id}/gaps', { path: { id }, signal }),
  );
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined || !('inputs' in value)) return <Waiting />;
  const holed = value.inputs.filter(({ missing_ha: missing }) => missing > 0);
  const shareOf = (area: number): string => formatShare(area / value.grid_ha, language());
  const withShare = (area: number): string => `${formatHectares(area, language())} (${shareOf(area)})`;
  if (value.without_zone_ha === 0 && holed.length === 0) return <p class="muted">{text.none}</p>;
  return (
    <>
      <p class="muted">
        {text.without(formatHectares(value.without_zone_ha, language()), shareOf(value.without_zone_ha))}
      </p>
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">{text.input}</th>
            <th scope="col">{text.missing}</th>
            <th scope="col">{text.alone}</th>
          </tr>
        </thead>
        <tbody>
          {holed.map(({ group, missing_ha: missing, alone_ha: alone }) => (
            <tr key={group} class="row">
              <th scope="row">
                <a href={hrefOf(['landscape'], { slot: group })}>{titleOfGroup(group, graph)}</a>
              </th>
              <td>{withShare(missing)}</td>
              <td>{withShare(alone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Seconds for which the service holds the answer while it makes a report. */
const waitSeconds = 10;

interface RunReportProps {
  readonly id: string;
  /** The name of the run. */
  readonly name: string;
}

/** The report on a run, as a file in each language. */
function RunReport({ id, name }: RunReportProps) {
  const { report } = runsWords();
  return (
    <>
      <p>{report.text}</p>
      <div class="actions">
        {languages.map((each) => (
          <FileLink
            key={each}
            isMade
            file={{
              label: namesOfLanguages[each].long,
              lang: each,
              path: `./landscape/runs/${encodeURIComponent(id)}/report.html?lang=${each}&wait=${waitSeconds}`,
              name: fileNameOf(`${name} (${each})`, 'html'),
            }}
          />
        ))}
      </div>
    </>
  );
}
