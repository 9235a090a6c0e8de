import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { formatShare } from '../../../common/formats/shares.ts';
import { language, words } from '../words/words.ts';
import type { Interrupted } from './unfinished-uploads.ts';

/** An upload that an earlier visit did not finish; it continues after its file is chosen again. */
export function InterruptedRow({ upload }: { readonly upload: Interrupted }) {
  const { upload: text } = words();
  const input = useRef<HTMLInputElement>(null);
  const isOther = useSignal(false);
  const { file, slot, received } = upload;
  const take = async (chosen: File): Promise<void> => {
    const { goOnWith } = await import('./interrupted.ts');
    isOther.value = !goOnWith(upload, chosen);
  };
  return (
    <div class="tray-row">
      <span class="tray-name" title={file.name}>
        {file.name}
        {slot !== undefined && <span class="muted small"> {slot.title}</span>}
      </span>
      <div class="tray-state">
        <progress class="paused" max={file.size} value={received} aria-label={file.name} />
        <p class="small" role="status">
          {isOther.value ? (
            <span class="wrong">{text.otherFile}</span>
          ) : (
            text.interrupted(formatShare(received / file.size, language()))
          )}
        </p>
      </div>
      <span class="actions">
        <button
          type="button"
          class="button"
          aria-label={`${text.chooseAgain}: ${file.name}`}
          onClick={() => input.current?.click()}
        >
          {text.chooseAgain}
        </button>
        <button
          type="button"
          class="button quiet"
          aria-label={`${text.discard}: ${file.name}`}
          onClick={() => void import('./interrupted.ts').then(({ discard }) => discard(upload))}
        >
          {text.discard}
        </button>
      </span>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        data-goes-on
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          currentTarget.value = '';
          if (chosen !== undefined) void take(chosen);
        }}
      />
    </div>
  );
}
