import { sql } from 'kysely';

/** Orders the datasets of a group, freshest first: greatest `end_date`, none last, then newest. */
export const freshestFirst = sql`datasets.end_date desc nulls last, datasets.created_at desc, datasets.id`;
