import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { refusedOf } from '../service/fetch.ts';
import { capabilities } from '../service/capabilities.ts';
import { formatBytes } from '../../../common/formats/sizes.ts';
import { language, words } from '../words/words.ts';
import { download, followLink } from './downloads.ts';
import { sentenceOf } from './loading.tsx';

/** A file that can be downloaded. */
export interface LinkedFile {
  readonly label: string;
  /** The language of the label, if it is not that of the page. */
  readonly lang?: string;
  /** Path relative to the page. */
  readonly path: string;
  readonly name: string;
  /** True if the service writes the file on request, which takes time. */
  readonly isWritten?: boolean;
}

interface FileLinkProps {
  readonly file: LinkedFile;
  readonly of?: string;
  /** True if the service makes the file on request, and answers 202 until it is ready. */
  readonly isMade?: boolean;
}

/**
 * A file to download; `of` names its subject for screen readers, where a page has several. It is a plain link if no
 * token has to be sent; the sentence of a refusal appears below.
 */
export function FileLink({
  file: { label, lang, path, name, isWritten = false },
  of,
  isMade = false,
}: FileLinkProps) {
  const { shell, upload, failure: failures } = words();
  const failure = useSignal<string | undefined>(undefined);
  const progress = useSignal<string | undefined>(undefined);
  const running = useRef<AbortController>(undefined);
  const isLink = !isMade && capabilities.value?.auth === 'off';
  const onProgress = (received: number, all: number | undefined): void => {
    const soFar = formatBytes(received, language());
    progress.value = all === undefined ? soFar : upload.sent(soFar, formatBytes(all, language()));
  };
  const save = async (): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    failure.value = undefined;
    progress.value = failures.loading;
    try {
      await (isLink
        ? followLink(path, name, { signal, isWritten })
        : download(path, name, { signal, isWritten, onProgress }));
    } catch (error) {
      if (!signal.aborted) failure.value = sentenceOf(refusedOf(error));
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
  const shown = { lang, class: 'button quiet', 'aria-label': of && `${label}: ${of}` };
  const follow = (event: MouseEvent): void => {
    // A new tab is to show the answer of the service.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void save();
  };
  return (
    <>
      {isLink ? (
        <a {...shown} href={path} download={name} onClick={follow}>
          ↓ {label}
        </a>
      ) : (
        <button {...shown} type="button" onClick={() => void save()}>
          ↓ {label}
        </button>
      )}
      <p class="wrong small" role="alert">
        {failure.value}
      </p>
    </>
  );
}
