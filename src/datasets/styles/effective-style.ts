import { sql } from 'kysely';
import type { Listener } from '../../database/listener.ts';
import { createRecentRows } from '../../database/recent-rows.ts';
import { createRowLoader } from '../../database/row-loader.ts';
import { subscribeToStatusNews } from '../../database/status-news.ts';
import { type StyleNews, subscribeToStyleNews } from '../../database/style-news.ts';
import type { Database } from '../../database/tables.ts';
import { datasetProblems } from '../../messages/datasets.ts';

/** The style with which a dataset is drawn. */
export interface EffectiveStyle {
  readonly id: string;
  /** The key of its own SLD, else that of its group's; null without either. */
  readonly sldKey: string | null;
}

export type EffectiveStyles = ReturnType<typeof createEffectiveStyles>;

/**
 * Creates a reader of the style that a dataset is drawn with, for one process. A row is kept for up to a second; changes
 * by other processes are heard from the database, those of this one have to be told before they are answered.
 */
export function createEffectiveStyles({
  db,
  listener,
}: {
  readonly db: Database;
  readonly listener: Listener;
}) {
  const rows = createRecentRows<EffectiveStyle>({
    load: createRowLoader((ids) => readRows(db, ids)),
    isLasting: () => true,
  });
  const forget = ({ table, id }: StyleNews) => {
    if (table === 'datasets') rows.forget(id);
    else rows.forgetAll(); // groups rarely change, and which datasets a group has is not known here
  };
  const styles = subscribeToStyleNews(listener, forget, rows.forgetAll);
  const ends = subscribeToStatusNews(listener, (id, news) => {
    if (news === 'deleted') rows.forget(id);
  });
  return {
    /** Returns the style of a dataset. @throws {Problem} `not_found` */
    async styleOf(id: string): Promise<EffectiveStyle> {
      const row = await rows.get(id);
      if (row === undefined) throw datasetProblems.notFound();
      return row;
    },
    /** Has the next request ask the database; needed before a change by this process is answered. */
    forget,
    async close(): Promise<void> {
      await styles.close();
      await ends.close();
    },
  };
}

async function readRows(db: Database, ids: readonly string[]): Promise<readonly EffectiveStyle[]> {
  const { rows } = await sql<EffectiveStyle>`
    select datasets.id, coalesce(datasets.sld_storage_key, grp.sld_storage_key) as "sldKey"
      from datasets left join dataset_groups grp on grp.id = datasets.dg_id
     where datasets.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}
