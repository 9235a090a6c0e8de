import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fetchJson } from '../../service/fetch.ts';
import { listenToEvents, hasEvents } from '../../service/events.ts';
import { isEnd } from '../../service/follow-status.ts';
import { filled } from '../../service/request.ts';
import type { DatasetSummary, DatasetSummaryPage } from '../../service/types.ts';

/** Interval of checks for datasets that others have added or deleted. */
const pollMs = 15_000;
/** The same while events arrive. */
const fallbackPollMs = 60_000;
/** Changes within this time are checked together. */
const batchMs = 1000;

/** The current state of a list, as far as it can be shown without moving rows. */
export interface News {
  /** The loaded rows in their places, with their current statuses. */
  readonly rows: readonly DatasetSummary[];
  /** The number of datasets beyond those shown, 0 if datasets were replaced by others; undefined if the list is unchanged. */
  readonly added: number | undefined;
}

/** Conditions of a search for datasets, as in an address; empty texts and missing members do not filter. */
interface DatasetFilter {
  readonly category_id?: string | undefined;
  readonly dg_id?: string | undefined;
  readonly file_type?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
  /** YYYY-MM-DD: earliest first day of the period. */
  readonly start_date_from?: string | undefined;
  /** YYYY-MM-DD: latest last day of the period. */
  readonly end_date_to?: string | undefined;
  readonly page?: string | undefined;
  readonly page_size?: string | undefined;
}

/** Reads a page of datasets; a background request does not prompt for a token. @throws {Refused} */
export async function listDatasets(
  filter: DatasetFilter,
  signal: AbortSignal,
  isBackground = false,
): Promise<DatasetSummaryPage> {
  return await fetchJson(filled('/datasets', { query: filter }), { signal, isBackground });
}

const none: News = { rows: [], added: undefined };

/**
 * Checks whether a list is still current, at each event and at intervals while the page is visible: by one row and the
 * count, and by all rows while some are being processed. The status line reports failures.
 */
export function useNews(filter: DatasetFilter, list: DatasetSummaryPage | undefined): News {
  const news = useSignal<{ readonly list: unknown; readonly news: News }>({ list: undefined, news: none });
  useEffect(() => {
    if (list === undefined) return undefined;
    const left = new AbortController();
    let rows = list.data;
    const check = async (): Promise<void> => {
      const [now, page] = await Promise.all([
        listDatasets({ ...filter, page: '1', page_size: '1' }, left.signal, true),
        rows.some(({ status }) => !isEnd(status)) ? listDatasets(filter, left.signal, true) : undefined,
      ]);
      const known = new Map(page?.data.map((row) => [row.id, row]));
      rows = rows.map((row) => known.get(row.id) ?? row);
      const newest = list.page === 1 ? list.data[0]?.id : undefined;
      const isSame = now.total === list.total && (newest === undefined || newest === now.data[0]?.id);
      const added = isSame ? undefined : Math.max(0, now.total - list.total);
      if (!left.signal.aborted) news.value = { list, news: { rows, added } };
    };
    let isPolling = false;
    const start = async (): Promise<void> => {
      if (isPolling || document.visibilityState !== 'visible') return;
      isPolling = true;
      await check().catch(() => undefined);
      isPolling = false;
    };
    let polledAt = Date.now();
    const timer = setInterval(() => {
      if (hasEvents.peek() && Date.now() - polledAt < fallbackPollMs) return;
      polledAt = Date.now();
      void start();
    }, pollMs);
    let batchTimer: ReturnType<typeof setTimeout> | undefined;
    const stop = listenToEvents(({ type }) => {
      if (type === 'dataset.progress' || type.startsWith('run.')) return;
      batchTimer ??= setTimeout(() => {
        batchTimer = undefined;
        void start();
      }, batchMs);
    });
    const seen = (): void => void start();
    document.addEventListener('visibilitychange', seen);
    return () => {
      left.abort();
      clearInterval(timer);
      clearTimeout(batchTimer);
      stop();
      document.removeEventListener('visibilitychange', seen);
    };
  }, [list]);
  // The state of another list does not apply to this one.
  return news.value.list === list ? news.value.news : { rows: list?.data ?? [], added: undefined };
}
