import type { Listener } from '../database/listener.ts';
import { createRecentRows } from '../database/recent-rows.ts';
import { createRowLoader } from '../database/row-loader.ts';
import { subscribeToStatusNews } from '../database/status-news.ts';
import type { Database } from '../database/tables.ts';
import { found, withIds } from './queries.ts';
import type { DatasetRow } from './schema.ts';

/** The facts of a dataset that the routes need to send its files. */
const fileColumns = ['id', 'file_type', 'status', 'filename', 'storage_key', 'cog_storage_key'] as const;
type DatasetFiles = Pick<DatasetRow, (typeof fileColumns)[number]>;

export type FileReader = ReturnType<typeof createFileReader>;

/**
 * Creates a reader of what is needed to send a dataset's files. The files of a `ready` raster stay the same until it is
 * deleted, and a map asks for dozens of ranges at once: such a row is kept for up to a second. News of its end are heard
 * from the database; until they come, or for that second when they are lost, a file of a raster that another process has
 * deleted is still sent.
 */
export function createFileReader({ db, listener }: { readonly db: Database; readonly listener: Listener }) {
  const rows = createRecentRows<DatasetFiles>({
    load: createRowLoader((ids) => withIds(db, ids).select(fileColumns).execute()),
    isLasting: ({ file_type: type, status }) => type === 'raster' && status === 'ready',
  });
  const subscription = subscribeToStatusNews(listener, rows.forget);
  return {
    /** Returns what is needed to send a file of a dataset. @throws {Problem} `not_found` */
    async filesOf(id: string): Promise<DatasetFiles> {
      return found(await rows.get(id));
    },
    /** Has the next request ask the database; needed before a deletion by this process is answered. */
    forget: rows.forget,
    close: subscription.close,
  };
}
