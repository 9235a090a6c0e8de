-- How many datasets there are of what lists can be narrowed to (decision 68). A list adds up counts and changes, which are those of its own snapshot;
-- changes are inserted, so that no two writers meet in a row, and folded into the counts in the background.
create table dataset_counts (
  -- Which columns tell its rows apart beside type, status and automated: the category; the group and the category; both dates. The others are null.
  grain text not null check (grain in ('category', 'group', 'period')),
  category_id uuid,
  dg_id uuid,
  start_date date,
  end_date date,
  file_type text not null,
  status text not null,
  automated boolean not null,
  datasets bigint not null,
  constraint dataset_counts_unique unique nulls not distinct
    (grain, dg_id, category_id, start_date, end_date, file_type, status, automated)
);
create table dataset_count_changes (
  category_id uuid not null,
  dg_id uuid,
  start_date date,
  end_date date,
  file_type text not null,
  status text not null,
  automated boolean not null,
  change bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

create function count_new_datasets() returns trigger language plpgsql as $$
begin
  insert into dataset_count_changes
    select category_id, dg_id, start_date, end_date, file_type, status, automated, count(*)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;
create function count_changed_datasets() returns trigger language plpgsql as $$
begin
  insert into dataset_count_changes
    select category_id, dg_id, start_date, end_date, file_type, status, automated, sum(change) from (
      select category_id, dg_id, start_date, end_date, file_type, status, automated, 1 as change from new_rows union all
      select category_id, dg_id, start_date, end_date, file_type, status, automated, -1 from old_rows
    ) changes group by 1, 2, 3, 4, 5, 6, 7 having sum(change) <> 0;
  return null;
end $$;
create function count_gone_datasets() returns trigger language plpgsql as $$
begin
  insert into dataset_count_changes
    select category_id, dg_id, start_date, end_date, file_type, status, automated, -count(*)
    from old_rows group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;

-- What the counts lack, or have too much of, in one snapshot: empty unless they were changed by hand, or written while triggers were off.
create view dataset_count_faults as
  select grain, dg_id, category_id, start_date, end_date, file_type, status, automated, sum(datasets)::bigint as lacking from (
    select grain, dg_id, category_id, start_date, end_date, file_type, status, automated, -datasets as datasets from dataset_counts
    union all
    select case when grouping(dg_id) = 0 then 'group' when grouping(category_id) = 0 then 'category' else 'period' end,
      dg_id, category_id, start_date, end_date, file_type, status, automated, sum(datasets)
    from (
      select category_id, dg_id, start_date, end_date, file_type, status, automated, 1 as datasets from datasets union all
      select category_id, dg_id, start_date, end_date, file_type, status, automated, -change from dataset_count_changes
    ) counted
    group by grouping sets ((category_id, file_type, status, automated), (dg_id, category_id, file_type, status, automated),
      (start_date, end_date, file_type, status, automated))
    having grouping(dg_id) = 1 or dg_id is not null
  ) sums group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(datasets) <> 0;

-- One at a time folds or counts again; what others write meanwhile is a change of a later snapshot.
create function fold_dataset_counts() returns bigint language plpgsql as $$
declare
  folded bigint;
  empty tid[];
begin
  if not pg_try_advisory_xact_lock(5738266003) then
    return 0;
  end if;
  with gone as (
    delete from dataset_count_changes returning *
  ), merged as (
    insert into dataset_counts as counts (grain, dg_id, category_id, start_date, end_date, file_type, status, automated, datasets)
      select case when grouping(dg_id) = 0 then 'group' when grouping(category_id) = 0 then 'category' else 'period' end,
        dg_id, category_id, start_date, end_date, file_type, status, automated, sum(change)
      from gone
      group by grouping sets ((category_id, file_type, status, automated), (dg_id, category_id, file_type, status, automated),
        (start_date, end_date, file_type, status, automated))
      having sum(change) <> 0 and (grouping(dg_id) = 1 or dg_id is not null)
    on conflict on constraint dataset_counts_unique do update set datasets = counts.datasets + excluded.datasets
    returning counts.ctid as place, counts.datasets
  )
  select (select count(*) from gone), array(select place from merged where datasets = 0) into folded, empty;
  delete from dataset_counts where ctid = any (empty) and datasets = 0;
  return folded;
end $$;

create function recount_datasets() returns bigint language plpgsql as $$
declare
  mended bigint;
begin
  perform pg_advisory_xact_lock(5738266003);
  insert into dataset_counts as counts (grain, dg_id, category_id, start_date, end_date, file_type, status, automated, datasets)
    select grain, dg_id, category_id, start_date, end_date, file_type, status, automated, lacking from dataset_count_faults
    on conflict on constraint dataset_counts_unique do update set datasets = counts.datasets + excluded.datasets;
  get diagnostics mended = row_count;
  delete from dataset_counts where datasets = 0;
  return mended;
end $$;
create function count_no_datasets() returns trigger language plpgsql as $$
begin
  perform recount_datasets();
  return null;
end $$;

create trigger datasets_counted_new after insert on datasets referencing new table as new_rows
  for each statement execute function count_new_datasets();
create trigger datasets_counted_changed after update on datasets referencing old table as old_rows new table as new_rows
  for each statement execute function count_changed_datasets();
create trigger datasets_counted_gone after delete on datasets referencing old table as old_rows
  for each statement execute function count_gone_datasets();
create trigger datasets_counted_truncated after truncate on datasets for each statement execute function count_no_datasets();
select recount_datasets();

-- Lists in their order by each of their filters, however few of the datasets it leaves.
create index datasets_by_status on datasets (status, created_at desc, id);
create index datasets_by_type on datasets (file_type, created_at desc, id);
create index datasets_by_automated on datasets (automated, created_at desc, id);
create index datasets_by_start on datasets (start_date);
create index datasets_by_end on datasets (end_date);

-- What q is looked for in, in lower case by ICU as the search has it. No text can have the separator and match across it.
alter table datasets add column search_text text collate "C" generated always as (
  lower(name collate "und-x-icu") || E'\x1f' || lower(coalesce(description, '') collate "und-x-icu") || E'\x1f' ||
  lower(filename collate "und-x-icu")) stored;
-- A role that may not create the extension, or a server without it, is served without the index.
do $$
begin
  create extension if not exists pg_trgm;
  create index datasets_by_text on datasets using gin (search_text gin_trgm_ops);
exception when others then
  raise notice 'q is looked for without an index: %', sqlerrm;
end $$;

-- Which process does what one of them should do, until when.
create table leases (
  name text primary key,
  holder uuid not null,
  lease_until timestamptz not null
);
