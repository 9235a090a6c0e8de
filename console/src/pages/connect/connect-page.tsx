import './connect.css';
import { address, hrefOf } from '../../address/address.ts';
import { fileNameOf } from '../../parts/downloads.ts';
import { FileLink } from '../../parts/file-link.tsx';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { capabilities } from '../../service/capabilities.ts';
import { useResource } from '../../service/resource.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { language } from '../../words/words.ts';
import { findSubject } from './find-subject.ts';
import { ProgramCard } from './program-card.tsx';
import { programsOf } from './programs.ts';
import { MissingMetadata } from './missing-metadata.tsx';
import type { Subject } from './subject.ts';
import { connectWords, type ConnectWords } from './words/words.ts';

/** Instructions for using a dataset, a group, a run or the whole service in other programs, with every address filled in. */
export function ConnectPage({ id }: { readonly id: string }) {
  const words = connectWords();
  // `datasets`, `groups` or `runs`; undefined for the whole service.
  const [, kind] = address.value.path;
  const auth = capabilities.value?.auth;
  const names = {
    service: words.service,
    run: (created: string) => words.run(formatMoment(created, language())),
  };
  const { resource, reload } = useResource(`connect ${kind} ${id} ${language()} ${auth}`, async (signal) => ({
    see: await findSubject(kind, id, names, signal),
  }));
  const { value, failure } = resource.value;
  const subject = value?.see?.();
  const title = kind === undefined || subject === undefined ? words.title : words.titleOf(subject.name);
  useTitle(title);
  return (
    <article class="connect">
      {kind !== undefined && (
        <p class="small">
          <a href={backTo(kind, id)}>‹ {words.back}</a>
          {' · '}
          <a href={hrefOf(['connect'])}>{words.ofService}</a>
        </p>
      )}
      <div class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
      </div>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && subject === undefined && <p>{words.nothing}</p>}
      {subject !== undefined && <Connections subject={subject} words={words} />}
    </article>
  );
}

function Connections({ subject, words }: { readonly subject: Subject; readonly words: ConnectWords }) {
  return (
    <>
      <p class="connect-lead">
        {words.lead} {subject.kind === 'service' && words.others}
      </p>
      {subject.hasTokens && (
        <div class="notice">
          <h2>{words.token.title}</h2>
          <p>{words.token.text}</p>
        </div>
      )}
      <div class="connect-programs">
        {programsOf(subject).map((program) => (
          <ProgramCard key={program.key} program={program} hasTokens={subject.hasTokens} words={words}>
            {program.key === 'qgis' && subject.type === 'vector' && (
              <GeoPackage subject={subject} words={words} />
            )}
            {program.key === 'catalogues' && subject.kind === 'dataset' && (
              <MissingMetadata id={subject.id} words={words} />
            )}
          </ProgramCard>
        ))}
      </div>
    </>
  );
}

/** The file for QGIS without a network. */
function GeoPackage({
  subject: { id, name },
  words,
}: {
  readonly subject: Subject;
  readonly words: ConnectWords;
}) {
  const path = `./datasets/${encodeURIComponent(id)}.gpkg`;
  const file = { label: words.addresses.geoPackage, path, name: fileNameOf(name, 'gpkg') };
  return (
    <div class="stack">
      <p class="small muted">{words.steps.geoPackage}</p>
      <p>
        <FileLink file={file} isMade />
      </p>
    </div>
  );
}

function backTo(kind: string, id: string): string {
  if (kind === 'datasets') return hrefOf(['datasets', id]);
  return kind === 'runs' ? hrefOf(['landscape', 'runs', id]) : hrefOf(['datasets'], { group: id });
}
