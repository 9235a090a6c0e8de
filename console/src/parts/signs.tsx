import type { ComponentChildren } from 'preact';
import type { DatasetSummary } from '../service/types.ts';
import { formatShare } from '../../../common/formats/shares.ts';
import { language, words } from '../words/words.ts';

const shapes = {
  raster: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z',
  vector: 'M3 11 7 3l6 3-2 7z',
  vector_with_kato: 'M2 3h12v2.4H2zM2 6.8h12v2.4H2zM2 10.6h12V13H2z',
} as const satisfies Record<DatasetSummary['file_type'], string>;

/** The sign of a type of file, beside a word that says the same. */
export function TypeSign({ type }: { readonly type: DatasetSummary['file_type'] }) {
  return (
    <svg class="type-sign" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={shapes[type]} />
    </svg>
  );
}

/** A name after the sign of its type; a long name also begins on the line of the sign. */
export function Typed({
  type,
  children,
}: {
  readonly type: DatasetSummary['file_type'];
  readonly children: ComponentChildren;
}) {
  return (
    <span class="typed">
      <TypeSign type={type} />
      <span>{children}</span>
    </span>
  );
}

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="6" fill="var(--accent)" />
      <path d="M5 23 12 11l5 8 3-4 7 8z" fill="var(--paper)" />
      <circle cx="23" cy="9" r="3" fill="#f2c14e" />
    </svg>
  );
}

const signs = {
  pending: '○',
  processing: '◐',
  parsing: '◐',
  awaiting_mapping: '!',
  extracting: '◐',
  ready: '✓',
  failed: '✕',
} as const satisfies Record<DatasetSummary['status'], string>;

interface StatusProps {
  readonly status: DatasetSummary['status'];
  /** From 0 to 1, if it is known. */
  readonly progress?: number | undefined;
}

/** The status of a dataset as a sign and a word, with its progress in per cent if that is known. */
export function Status({ status, progress }: StatusProps) {
  return (
    <span class={`status ${status}`}>
      <span aria-hidden="true">{signs[status]}</span> {words().statuses[status]}
      {progress !== undefined && `, ${formatShare(Math.floor(progress * 100) / 100, language())}`}
    </span>
  );
}
