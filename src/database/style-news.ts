import type { Listener } from './listener.ts';

/** The channel on which the database tells every change of a style: `datasets <id>` or `dataset_groups <id>`. */
const channel = 'style_changes';

/** A dataset that has another style or another group, or a group that has another style. */
export interface StyleNews {
  readonly table: 'datasets' | 'dataset_groups';
  readonly id: string;
}

/**
 * Calls `onNews` whenever a dataset or a group gets another style, whichever process gave it; `onReconnect` when news may
 * have been lost. Deletions are news of statuses.
 */
export function subscribeToStyleNews(
  listener: Listener,
  onNews: (news: StyleNews) => void,
  onReconnect?: () => void,
): { close(): Promise<void> } {
  return listener.subscribe(
    channel,
    (payload) => {
      const [table, id = ''] = payload.split(' ');
      onNews({ table: table === 'datasets' ? table : 'dataset_groups', id });
    },
    onReconnect,
  );
}
