import type { Listener } from './listener.ts';

/** The channel on which the database tells every change of a dataset's status: `<id> <status>` or `<id> deleted`. */
const statusChannel = 'dataset_status';

/**
 * Calls `onNews` for each change of a dataset's status and for each deletion, whichever process made it; `onReconnect` when
 * news may have been lost.
 */
export function subscribeToStatusNews(
  listener: Listener,
  onNews: (datasetId: string, news: string | undefined) => void,
  onReconnect?: () => void,
): { close(): Promise<void> } {
  return listener.subscribe(
    statusChannel,
    (payload) => {
      const [id = '', news] = payload.split(' ');
      onNews(id, news);
    },
    onReconnect,
  );
}

/** The channel on which the database tells every change of a style: `datasets <id>` or `dataset_groups <id>`. */
const styleChannel = 'style_changes';

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
    styleChannel,
    (payload) => {
      const [table, id = ''] = payload.split(' ');
      onNews({ table: table === 'datasets' ? table : 'dataset_groups', id });
    },
    onReconnect,
  );
}
