import type { Kysely, Transaction as Transacting } from 'kysely';
import type { DatasetTables } from './dataset-tables.ts';
import type { LandscapeTables } from './landscape-tables.ts';
import type { ServiceTables } from './service-tables.ts';
import type { UnitTables } from './unit-tables.ts';

export type {
  DatasetFileKind,
  DatasetStatus,
  FileEncoding,
  FileType,
  ReferenceState,
  ViewState,
} from './dataset-tables.ts';
export type { RecordState, RunNodeStatus, RunStatus } from './landscape-tables.ts';

export interface Tables extends DatasetTables, LandscapeTables, ServiceTables, UnitTables {}

export type Database = Kysely<Tables>;
export type Transaction = Transacting<Tables>;
