import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { refusedOf } from '../service/ask.ts';
import { capabilities } from '../service/capabilities.ts';
import { formatBytes } from '../words/formats.ts';
import { language, words } from '../words/words.ts';
import { download } from './downloads.ts';
import { sentenceOf } from './loading.tsx';

/** A file that can be downloaded. */
export interface LinkedFile {
  readonly label: string;
  /** The language of the label, where it is not that of the page. */
  readonly lang?: string;
  /** Relative to the page. */
  readonly path: string;
  readonly name: string;
}

interface FileLinkProps {
  readonly file: LinkedFile;
  readonly of?: string;
  /** The service makes it when it is asked for, and says so until it is there. */
  readonly isMade?: boolean;
}

/** A file to download; `of` names what it is a file of, for a screen reader, where several stand on a page. */
export function FileLink({ file, of, isMade = false }: FileLinkProps) {
  const { label, path, name } = file;
  if (isMade || capabilities.value?.auth !== 'off') return <Fetched file={file} of={of} />;
  return (
    <a class="button quiet" href={path} download={name} aria-label={of && `${label}: ${of}`}>
      ↓ {label}
    </a>
  );
}

function Fetched({
  file: { label, lang, path, name },
  of,
}: {
  readonly file: LinkedFile;
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
        <span lang={lang}>{label}</span>: {progress.value}{' '}
        <button type="button" class="button quiet" onClick={() => running.current?.abort()}>
          {shell.cancel}
        </button>
      </p>
    );
  return (
    <>
      <button
        type="button"
        lang={lang}
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
