import { address, replaceQuery } from '../../../address/address.ts';
import { fileNameOf } from '../../../parts/downloads.ts';
import { FileLink } from '../../../parts/file-link.tsx';
import { Failure, Waiting } from '../../../parts/loading.tsx';
import { useCounted, fetchCounted } from '../../../service/counted.ts';
import { useResource } from '../../../service/resource.ts';
import { formatBytes } from '../../../../../common/formats/sizes.ts';
import { language } from '../../../words/words.ts';
import { Signatures } from './signatures.tsx';
import { dossierWords } from '../words/words.ts';
import type { Dossier } from '../../../service/types.ts';
import { get, pathTo } from '../../../service/request.ts';

/** The rasters that a dossier can contain. */
const dossierParts = ['cogs', 'inputs'] as const;
type DossierPart = (typeof dossierParts)[number];

export interface DossierProps {
  readonly runId: string;
  /** The name of the run. */
  readonly name: string;
}

/** The contents of the dossier of a run, its file with or without rasters, and its signatures. */
export function RunDossier({ runId, name }: DossierProps) {
  const text = dossierWords();
  const { resource, reload } = useResource(
    `dossier ${runId}`,
    async (signal) => await get('/landscape/runs/{id}/dossier', { path: { id: runId }, signal }),
  );
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return <Waiting />;
  return (
    <div class="stack">
      <p>{text.lead}</p>
      <ul>
        {text.has.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <Parts dossier={value} />
      <File dossier={value} name={name} />
      <Verify name={name} />
      <h2>{text.signature.title}</h2>
      <p class="muted">{text.signature.lead}</p>
      <p class="small">
        {text.manifest}: <code class="digest">{value.manifest_sha256}</code>
      </p>
      <div class="actions">
        <FileLink
          isMade
          file={{
            label: text.inventoryFile,
            path: `.${pathTo('/landscape/runs/{id}/dossier/inventory.json', {
              path: { id: runId },
              query: { lang: language() },
            })}`,
            name: 'inventory.json',
          }}
        />
      </div>
      <Signatures runId={runId} signatures={value.signatures} onStored={reload} />
    </div>
  );
}

/** The command that verifies the chosen file: only a file with inputs can be computed again. */
function Verify({ name }: Pick<DossierProps, 'name'>) {
  const text = dossierWords();
  const canRecompute = partsAsked().includes('inputs');
  const file = fileNameOf(name, 'zip').replaceAll("'", String.raw`'\''`);
  return (
    <>
      <p class="small muted">{canRecompute ? text.verify.again : text.verify.file}</p>
      <p class="small">
        <code>
          ./steppe verify '{file}'{canRecompute && ' --recompute'}
        </code>
      </p>
    </>
  );
}

function partsAsked(): readonly DossierPart[] {
  const asked = address.value.query.get('with')?.split(',') ?? [];
  return dossierParts.filter((part) => asked.includes(part));
}

/** The rasters that the file can contain; deleted ones cannot be chosen. */
function Parts({ dossier }: { readonly dossier: Dossier }) {
  const text = dossierWords();
  const asked = partsAsked();
  return (
    <fieldset>
      <legend>{text.parts.title}</legend>
      {dossierParts.map((part) => {
        const { files, bytes, missing } = dossier[part];
        const others = asked.filter((each) => each !== part);
        const change = (isChosen: boolean): void => {
          const chosen = dossierParts.filter((each) => others.includes(each) || (isChosen && each === part));
          replaceQuery({ with: chosen.length === 0 ? undefined : chosen.join(',') });
        };
        return (
          <p key={part}>
            <label>
              <input
                type="checkbox"
                checked={asked.includes(part)}
                disabled={missing.length > 0}
                onChange={({ currentTarget }) => change(currentTarget.checked)}
              />{' '}
              {text.parts[part]}{' '}
              <span class="small muted">{text.parts.size(files, formatBytes(bytes, language()))}</span>
            </label>
            {missing.length > 0 && <span class="small needs"> {text.parts.missing(missing.join(', '))}</span>}
          </p>
        );
      })}
    </fieldset>
  );
}

/** The path of the file with some rasters. */
function pathOfFile(id: string, parts: readonly DossierPart[]): string {
  const file = pathTo('/landscape/runs/{id}/dossier.zip', { path: { id } });
  return `${file}${parts.length === 0 ? '' : `?with=${parts.join(',')}`}`;
}

function File({ dossier, name }: { readonly dossier: Dossier; readonly name: string }) {
  const text = dossierWords();
  const path = pathOfFile(dossier.run_id, partsAsked());
  const { value, failure, isCounting, isLoading, reload } = useCounted(
    `${path} ${language()}`,
    async (asking) =>
      await fetchCounted(path, { ...asking, method: 'HEAD' }, async ({ headers }) =>
        Number(headers.get('content-length')),
      ),
  );
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined || isLoading)
    return (
      <div role="status">
        <Waiting />
        {isCounting && <p class="muted">{text.counting}</p>}
      </div>
    );
  const file = {
    label: text.download(formatBytes(value, language())),
    path: `.${path}${path.includes('?') ? '&' : '?'}lang=${language()}`,
    name: fileNameOf(name, 'zip'),
  };
  return (
    <div class="actions">
      <FileLink file={file} />
    </div>
  );
}
