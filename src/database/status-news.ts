import type { Listener } from './listener.ts';

/** The channel on which the database tells every change of a dataset's status: `<id> <status>` or `<id> deleted`. */
const channel = 'dataset_status';

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
    channel,
    (payload) => {
      const [id = '', news] = payload.split(' ');
      onNews(id, news);
    },
    onReconnect,
  );
}
