-- How many datasets were made on each day, in UTC: a page by its number is found from the days before it, without walking past their rows (decision 68).
-- No dataset changes meanwhile, so that nothing is counted as before.
lock table datasets in share mode;
alter table dataset_counts add column created_on date;
alter table dataset_counts drop constraint dataset_counts_unique;
alter table dataset_counts add constraint dataset_counts_unique unique nulls not distinct
  (grain, dg_id, category_id, start_date, end_date, created_on, file_type, status, automated);
-- Beside the others: the day.
alter table dataset_counts drop constraint dataset_counts_grain_check;
alter table dataset_counts add constraint dataset_counts_grain_check check (grain in ('category', 'group', 'period', 'day'));
-- The rows are counted again below.
delete from dataset_count_changes;
alter table dataset_count_changes add column created_on date not null;

create or replace function count_new_datasets() returns trigger language plpgsql as $$
begin
  insert into dataset_count_changes (category_id, dg_id, start_date, end_date, created_on, file_type, status, automated, change)
    select category_id, dg_id, start_date, end_date, (created_at at time zone 'UTC')::date, file_type, status, automated, count(*)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end $$;
create or replace function count_changed_datasets() returns trigger language plpgsql as $$
begin
  insert into dataset_count_changes (category_id, dg_id, start_date, end_date, created_on, file_type, status, automated, change)
    select category_id, dg_id, start_date, end_date, (created_at at time zone 'UTC')::date, file_type, status, automated, sum(change) from (
      select category_id, dg_id, start_date, end_date, created_at, file_type, status, automated, 1 as change from new_rows union all
      select category_id, dg_id, start_date, end_date, created_at, file_type, status, automated, -1 from old_rows
    ) changes group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(change) <> 0;
  return null;
end $$;
create or replace function count_gone_datasets() returns trigger language plpgsql as $$
begin
  insert into dataset_count_changes (category_id, dg_id, start_date, end_date, created_on, file_type, status, automated, change)
    select category_id, dg_id, start_date, end_date, (created_at at time zone 'UTC')::date, file_type, status, automated, -count(*)
    from old_rows group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end $$;

drop view dataset_count_faults;
create view dataset_count_faults as
  select grain, dg_id, category_id, start_date, end_date, created_on, file_type, status, automated, sum(datasets)::bigint as lacking from (
    select grain, dg_id, category_id, start_date, end_date, created_on, file_type, status, automated, -datasets as datasets from dataset_counts
    union all
    select case when grouping(dg_id) = 0 then 'group' when grouping(category_id) = 0 then 'category'
        when grouping(created_on) = 0 then 'day' else 'period' end,
      dg_id, category_id, start_date, end_date, created_on, file_type, status, automated, sum(datasets)
    from (
      select category_id, dg_id, start_date, end_date, (created_at at time zone 'UTC')::date as created_on, file_type, status, automated,
        1 as datasets from datasets union all
      select category_id, dg_id, start_date, end_date, created_on, file_type, status, automated, -change from dataset_count_changes
    ) counted
    group by grouping sets ((category_id, file_type, status, automated), (dg_id, category_id, file_type, status, automated),
      (start_date, end_date, file_type, status, automated), (created_on, file_type, status, automated))
    having grouping(dg_id) = 1 or dg_id is not null
  ) sums group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(datasets) <> 0;

create or replace function fold_dataset_counts() returns bigint language plpgsql as $$
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
    insert into dataset_counts as counts (grain, dg_id, category_id, start_date, end_date, created_on, file_type, status, automated, datasets)
      select case when grouping(dg_id) = 0 then 'group' when grouping(category_id) = 0 then 'category'
          when grouping(created_on) = 0 then 'day' else 'period' end,
        dg_id, category_id, start_date, end_date, created_on, file_type, status, automated, sum(change)
      from gone
      group by grouping sets ((category_id, file_type, status, automated), (dg_id, category_id, file_type, status, automated),
        (start_date, end_date, file_type, status, automated), (created_on, file_type, status, automated))
      having sum(change) <> 0 and (grouping(dg_id) = 1 or dg_id is not null)
    on conflict on constraint dataset_counts_unique do update set datasets = counts.datasets + excluded.datasets
    returning counts.ctid as place, counts.datasets
  )
  select (select count(*) from gone), array(select place from merged where datasets = 0) into folded, empty;
  delete from dataset_counts where ctid = any (empty) and datasets = 0;
  return folded;
end $$;

create or replace function recount_datasets() returns bigint language plpgsql as $$
declare
  mended bigint;
begin
  perform pg_advisory_xact_lock(5738266003);
  insert into dataset_counts as counts (grain, dg_id, category_id, start_date, end_date, created_on, file_type, status, automated, datasets)
    select grain, dg_id, category_id, start_date, end_date, created_on, file_type, status, automated, lacking from dataset_count_faults
    on conflict on constraint dataset_counts_unique do update set datasets = counts.datasets + excluded.datasets;
  get diagnostics mended = row_count;
  delete from dataset_counts where datasets = 0;
  return mended;
end $$;
select recount_datasets();

-- Entries that wait to be put into the index are read one by one by each search: no more than it reads in half a millisecond.
do $$
begin
  if to_regclass('datasets_by_text') is not null then
    alter index datasets_by_text set (gin_pending_list_limit = 256);
  end if;
end $$;
