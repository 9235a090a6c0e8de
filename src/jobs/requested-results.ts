import { sql } from 'kysely';
import { Problem } from '../lib/errors.ts';
import { messageText } from '../lib/message.ts';
import type { Failure } from './handler.ts';

/** After a failure that the request is not to blame for, another request tries again this much later, not at once. */
export const retryAfterSeconds = 60;

/** Whether a job is on its way that makes the result. @param table table or alias of the result, which has `id` */
export const hasJob = (table: string) =>
  sql<boolean>`exists (select from jobs where ref_id = ${sql.ref(`${table}.id`)} and state in ('queued', 'running'))`;

/** Whether a failed result may be made again. @param table table or alias of the result, which has `changed_at` */
export const mayRetry = (table: string) =>
  sql<boolean>`${sql.ref(`${table}.changed_at`)} < now() - make_interval(secs => ${retryAfterSeconds})`;

/** Whether `used_at` is so old that it has to be written again, which not every use of a result does. */
export const isUseOld = sql<boolean>`used_at < now() - interval '1 hour'`;

/** Returns the columns of a result that could not be made; what is to blame on its inputs is final. */
export const failedColumns = ({ reason, error }: Failure) =>
  ({
    state: 'failed',
    failure: messageText(reason),
    is_final: error instanceof Problem && error.code === 'invalid',
    changed_at: sql<Date>`now()`,
  }) as const;
