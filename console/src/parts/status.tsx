import type { DatasetSummary } from '../service/types.ts';
import { words } from '../words/words.ts';

const signs = {
  pending: '○',
  processing: '◐',
  parsing: '◐',
  awaiting_mapping: '!',
  extracting: '◐',
  ready: '✓',
  failed: '✕',
} as const satisfies Record<DatasetSummary['status'], string>;

/** How far a dataset is, as a sign and a word. */
export function Status({ status }: { readonly status: DatasetSummary['status'] }) {
  return (
    <span class={`status ${status}`}>
      <span aria-hidden="true">{signs[status]}</span> {words().statuses[status]}
    </span>
  );
}
