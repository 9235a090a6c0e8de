import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { sentenceOf } from '../../parts/loading.tsx';
import { refusedOf } from '../../service/ask.ts';
import { capabilities } from '../../service/capabilities.ts';
import type { Dataset } from '../../service/types.ts';
import { formatBytes } from '../../words/formats.ts';
import { language, words } from '../../words/words.ts';
import { download, fileNameOf } from './downloads.ts';

interface File {
  readonly label: string;
  /** Relative to the page. */
  readonly path: string;
  readonly name: string;
}

/** The files of a dataset to download: links, but where a token has to be sent the page fetches them. */
export function Files({ dataset }: { readonly dataset: Dataset }) {
  return (
    <ul class="files">
      {filesOf(dataset).map((file) => (
        <li key={file.path}>
          <FileLink file={file} />
        </li>
      ))}
    </ul>
  );
}

/** A file to download; `of` names what it is a file of, for a screen reader, where several stand on a page. */
export function FileLink({ file, of }: { readonly file: File; readonly of?: string }) {
  const { label, path, name } = file;
  if (capabilities.value?.auth !== 'off') return <Fetched file={file} of={of} />;
  return (
    <a class="button quiet" href={path} download={name} aria-label={of && `${label}: ${of}`}>
      ↓ {label}
    </a>
  );
}

function filesOf({ id, name, file_type: type, status, filename, sld_storage_key: sld }: Dataset) {
  const { dataset: text } = words();
  const path = `./datasets/${encodeURIComponent(id)}`;
  const files: (File | false)[] = [
    { label: text.original, path: `${path}/download`, name: filename },
    status === 'ready' &&
      (type === 'raster'
        ? { label: text.cog, path: `${path}.cog`, name: fileNameOf(name, 'tif') }
        : { label: text.geojson, path: `${path}.geojson`, name: fileNameOf(name, 'geojson') }),
    sld !== null && { label: text.sld, path: `${path}/sld`, name: fileNameOf(name, 'sld') },
  ];
  return files.filter((file) => file !== false);
}

function Fetched({
  file: { label, path, name },
  of,
}: {
  readonly file: File;
  readonly of: string | undefined;
}) {
  const { shell, upload, failure: failures } = words();
  const failure = useSignal<string | undefined>(undefined);
  const progress = useSignal<string | undefined>(undefined);
  const running = useRef<AbortController>(undefined);
  const onProgress = (received: number, all: number | undefined): void => {
    const soFar = formatBytes(received, language());
    progress.value = all === undefined ? soFar : upload.sent(soFar, formatBytes(all, language()));
  };
  const save = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    failure.value = undefined;
    progress.value = failures.loading;
    try {
      await download(path, name, { signal: controller.signal, onProgress });
    } catch (error) {
      if (!controller.signal.aborted) failure.value = sentenceOf(refusedOf(error));
    } finally {
      progress.value = undefined;
    }
  };
  if (progress.value !== undefined)
    return (
      <p class="small">
        {label}: {progress.value}{' '}
        <button type="button" class="button quiet" onClick={() => running.current?.abort()}>
          {shell.cancel}
        </button>
      </p>
    );
  return (
    <>
      <button
        type="button"
        class="button quiet"
        aria-label={of && `${label}: ${of}`}
        onClick={() => void save()}
      >
        ↓ {label}
      </button>
      <p class="wrong small" role="alert">
        {failure.value}
      </p>
    </>
  );
}
