-- What was counted: areas of classes, or the statistics of the values of one raster (decision 51).
alter table area_counts add column of text not null default 'classes' check (of in ('classes', 'values'));

-- The tables of zonal statistics that follow their groups, one at most of each group. What such a table holds follows from the ready rasters of the
-- group, the districts and the settings alone; a job zonal-table about `id` makes it.
create table zonal_tables (
  group_id uuid primary key references dataset_groups on delete cascade,
  id uuid not null unique,
  -- Null until it is made first. Who deletes the table switches it off.
  dataset_id uuid unique references datasets on delete cascade,
  category_id uuid references categories on delete set null,
  name text,
  by_level text not null check (by_level in ('district', 'region', 'all')),
  stats text[] not null,
  min_valid_share double precision not null check (min_valid_share between 0 and 1),
  values_are text not null check (values_are in ('density', 'count')),
  -- Moved on in the transaction of every change of what it follows from; `made` is what it was when the table was made.
  wanted bigint not null default 1,
  made bigint not null default 0,
  districts_version bigint,
  -- The rasters in it, and the digest of its file.
  rasters uuid[] not null default '{}',
  digest text,
  made_at timestamptz,
  failure text
);

-- A table that is wanted has a job, unless it has one. Its transaction ends under the lock of the row: of a change at the same time, either the job sees
-- it, or the change sees that the job is over.
create function want_zonal_tables(groups uuid[]) returns void language plpgsql as $$
declare
  wanted_id uuid;
begin
  for wanted_id in update zonal_tables set wanted = wanted + 1, failure = null
      where groups is null or group_id = any (groups) returning id loop
    insert into jobs (id, kind, ref_id) values (gen_random_uuid(), 'zonal-table', wanted_id)
      on conflict (kind, ref_id) where state in ('queued', 'running') do nothing;
  end loop;
end $$;

create function follow_rasters() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform want_zonal_tables(array[new.dg_id]);
  elsif tg_op = 'DELETE' then
    perform want_zonal_tables(array[old.dg_id]);
  else
    perform want_zonal_tables(array[old.dg_id, new.dg_id]);
  end if;
  return null;
end $$;
create trigger datasets_wanted_in_zonal after insert on datasets for each row
  when (new.file_type = 'raster' and new.status = 'ready' and new.dg_id is not null) execute function follow_rasters();
create trigger datasets_gone_from_zonal after delete on datasets for each row
  when (old.file_type = 'raster' and old.status = 'ready' and old.dg_id is not null) execute function follow_rasters();
create trigger datasets_changed_in_zonal after update of status, dg_id, start_date, end_date on datasets for each row
  when (new.file_type = 'raster' and (old.status = 'ready' or new.status = 'ready')
    and (old.status, old.dg_id, old.start_date, old.end_date) is distinct from (new.status, new.dg_id, new.start_date, new.end_date)
    and coalesce(old.dg_id, new.dg_id) is not null)
  execute function follow_rasters();

create function follow_districts() returns trigger language plpgsql as $$
begin
  perform want_zonal_tables(null);
  return null;
end $$;
create trigger districts_version_moves_zonal after update on districts_version for each row execute function follow_districts();
