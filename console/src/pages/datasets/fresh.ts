import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../../service/ask.ts';
import { hearEvents, isHearing } from '../../service/events.ts';
import { filled } from '../../service/request.ts';
import type { DatasetSummary, DatasetSummaryPage } from '../../service/types.ts';

/** What other people and programs add or delete is seen after so long. */
const lookEveryMs = 15_000;
/** The same while events say it at once. */
const lookAnywayMs = 60_000;
/** Changes that come together are checked together. */
const gatherMs = 1000;
const ends: ReadonlySet<DatasetSummary['status']> = new Set(['ready', 'failed', 'awaiting_mapping']);

/** A list as it is now, as far as that can be shown without moving anything. */
export interface News {
  /** The rows that were read, in their places, with their statuses of now. */
  readonly rows: readonly DatasetSummary[];
  /** So many datasets more than are shown, 0 when others have come and gone; undefined while it is the same list. */
  readonly added: number | undefined;
}

/** Conditions of a search for datasets, as an address has them; empty texts and missing members ask for nothing. */
interface DatasetFilter {
  readonly category_id?: string | undefined;
  readonly dg_id?: string | undefined;
  readonly file_type?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
  /** YYYY-MM-DD: the first day of the period is this one or later. */
  readonly start_date_from?: string | undefined;
  /** YYYY-MM-DD: the last day of the period is this one or earlier. */
  readonly end_date_to?: string | undefined;
  readonly page?: string | undefined;
  readonly page_size?: string | undefined;
}

/** Reads a page of datasets; a background request asks for no token. @throws {Refused} */
export async function listDatasets(
  filter: DatasetFilter,
  signal: AbortSignal,
  isQuiet = false,
): Promise<DatasetSummaryPage> {
  return await ask(filled('/datasets', { query: filter }), { signal, isQuiet });
}

const none: News = { rows: [], added: undefined };

/**
 * Checks at each event, and now and then without events, while the page is visible, whether a list is still current: by one row and the
 * count, and all rows while some are in work. Failures are left to the line above the page.
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
        rows.some(({ status }) => !ends.has(status)) ? listDatasets(filter, left.signal, true) : undefined,
      ]);
      const known = new Map(page?.data.map((row) => [row.id, row]));
      rows = rows.map((row) => known.get(row.id) ?? row);
      const newest = list.page === 1 ? list.data[0]?.id : undefined;
      const isSame = now.total === list.total && (newest === undefined || newest === now.data[0]?.id);
      const added = isSame ? undefined : Math.max(0, now.total - list.total);
      if (!left.signal.aborted) news.value = { list, news: { rows, added } };
    };
    let isLooking = false;
    const start = async (): Promise<void> => {
      if (isLooking || document.visibilityState !== 'visible') return;
      isLooking = true;
      await check().catch(() => undefined);
      isLooking = false;
    };
    let lookedAt = Date.now();
    const timer = setInterval(() => {
      if (isHearing.peek() && Date.now() - lookedAt < lookAnywayMs) return;
      lookedAt = Date.now();
      void start();
    }, lookEveryMs);
    let gathering: ReturnType<typeof setTimeout> | undefined;
    const stop = hearEvents(({ type }) => {
      if (type === 'dataset.progress' || type.startsWith('run.')) return;
      gathering ??= setTimeout(() => {
        gathering = undefined;
        void start();
      }, gatherMs);
    });
    const seen = (): void => void start();
    document.addEventListener('visibilitychange', seen);
    return () => {
      left.abort();
      clearInterval(timer);
      clearTimeout(gathering);
      stop();
      document.removeEventListener('visibilitychange', seen);
    };
  }, [list]);
  // What was seen of another list says nothing about this one.
  return news.value.list === list ? news.value.news : { rows: list?.data ?? [], added: undefined };
}
