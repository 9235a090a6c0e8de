import type { Listener } from './listener.ts';

/** Channel with every change of a dataset's status: `<id> <status>` or `<id> deleted`. */
const statusChannel = 'dataset_status';

/**
 * Calls `onNews` for each change of a dataset's status and each deletion, by any process; `onReconnect` when
 * notifications may have been missed.
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

/** Channel with every change of a style: `datasets <id>` or `dataset_groups <id>`. */
const styleChannel = 'style_changes';

/** A dataset with a new style or group, or a group with a new style. */
export interface StyleNews {
  readonly table: 'datasets' | 'dataset_groups';
  readonly id: string;
}

/**
 * Calls `onNews` when a dataset or a group gets another style, by any process; `onReconnect` when notifications may
 * have been missed. Deletions are reported as status changes.
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
