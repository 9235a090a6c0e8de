-- One row: the name of this database among those that share a workflow engine (decision 63), and where it was given. A row that was copied is
-- in another database or table, or of another transaction, and counts no more.
create table installations (
  id uuid not null,
  database_oid oid not null,
  table_oid oid not null,
  made_by xid not null -- as the system column xmin says it
);
