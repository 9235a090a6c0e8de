import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { saveBlob } from '../../parts/downloads.ts';
import type { Program } from './programs.ts';
import type { MadeFile } from './qgis-files.ts';
import type { ConnectWords } from './words/words.ts';

interface CardProps {
  readonly program: Program;
  readonly hasTokens: boolean;
  readonly words: ConnectWords;
  readonly children?: ComponentChildren;
}

/** Instructions for one program: files to load, addresses to copy, code to paste, and what to do with them. */
export function ProgramCard({ program, hasTokens, words, children }: CardProps) {
  const { key, files, addresses, snippet } = program;
  const hasLayers = files.some(({ kind }) => kind === 'qlr');
  const step = key === 'qgis' && !hasLayers ? 'qgisConnections' : key;
  const heading = `connect-${key}`;
  return (
    <section class="sheet pad stack" aria-labelledby={heading}>
      <h2 id={heading}>{words.programs[key]}</h2>
      <p class="small muted">{words.steps[step]}</p>
      {files.length > 0 && (
        <ul class="connect-files">
          {files.map((file) => (
            <li key={file.name}>
              <button type="button" class="button" onClick={() => save(file)}>
                ↓ {words.files[file.kind]}
              </button>
            </li>
          ))}
        </ul>
      )}
      {addresses.length > 0 && (
        <dl class="connect-addresses">
          {addresses.map(({ label, url }) => (
            <div key={label}>
              <dt>{words.addresses[label]}</dt>
              <dd>
                <Copied text={url} label={words.addresses[label]} words={words} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {snippet !== undefined && (
        <Copied text={snippet} label={words.codeOf(words.programs[key])} words={words} isCode />
      )}
      {children}
      {hasTokens && <p class="small connect-token">{words.tokens[key]}</p>}
    </section>
  );
}

function save({ name, text }: MadeFile): void {
  saveBlob(new Blob([text], { type: 'application/xml' }), name);
}

interface CopiedProps {
  readonly text: string;
  readonly label: string;
  readonly words: ConnectWords;
  readonly isCode?: boolean;
}

/** A text with a button that copies it, and the result of the copy. */
function Copied({ text, label, words, isCode = false }: CopiedProps) {
  const shown = useRef<HTMLElement>(null);
  const state = useSignal<'copied' | 'failed' | undefined>(undefined);
  const copy = async (): Promise<void> => {
    state.value = undefined;
    state.value = (await copyText(text, shown.current)) ? 'copied' : 'failed';
  };
  return (
    <div class={isCode ? 'connect-code' : 'connect-address'}>
      {isCode ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
        <pre role="region" aria-label={label} tabIndex={0}>
          <code ref={shown}>{text}</code>
        </pre>
      ) : (
        <code ref={shown}>{text}</code>
      )}
      <button
        type="button"
        class="button quiet"
        aria-label={state.value === 'copied' ? `${words.copied}: ${label}` : words.copyOf(label)}
        onClick={() => void copy()}
      >
        {state.value === 'copied' ? `✓ ${words.copied}` : words.copy}
      </button>
      <p class={state.value === 'failed' ? 'small wrong' : 'visually-hidden'} role="status">
        {state.value === 'copied' && words.copied}
        {state.value === 'failed' && words.copyFailed}
      </p>
    </div>
  );
}

/**
 * Copies a text. Browsers offer the clipboard API only to pages over https or on localhost. In an internal network,
 * where the service often uses http, the text is selected and copied by a command.
 * @param shown the element with the text
 * @returns whether it was copied; if not, it is selected
 */
export async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- over http there is none
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The person or a policy may refuse access.
    }
  }
  if (shown === null) return false;
  const range = document.createRange();
  range.selectNodeContents(shown);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else copies over http
  return document.execCommand('copy');
}
