-- While one of these stands, the sweeper removes no object: a backup is reading what was live when it began.
create table backup_holds (
  id uuid primary key,
  held_until timestamptz not null
);
