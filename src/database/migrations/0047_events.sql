-- What has happened to datasets and runs, for those who listen (decision 75). Triggers write it down in the transaction of the change, without a place; whoever
-- tells it gives places to what is committed, one process at a time. So no place appears behind one that was told already, as a number of a sequence would that
-- was drawn early and committed late.
create table event_news (
  id bigint generated always as identity primary key,
  type text not null,
  dataset_id uuid,
  run_id uuid,
  group_id uuid,
  data jsonb not null,
  made_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

create table events (
  position bigint primary key,
  type text not null,
  dataset_id uuid,
  run_id uuid,
  group_id uuid,
  data jsonb not null,
  made_at timestamptz not null
);
create index events_by_dataset on events (dataset_id, position) where dataset_id is not null;

-- One row. A database that is made anew, also out of a backup, has another epoch: a place of another epoch means nothing here.
create table event_log (
  id boolean primary key default true check (id),
  epoch text not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 8),
  last bigint not null default 0, -- the place that was given last
  forgotten bigint not null default 0 -- the last place whose event is deleted
);
insert into event_log default values;

-- Gives places to what is committed; returns how many there were. Whoever waits here for another process sees afterwards what that one has left.
create function order_events() returns bigint language plpgsql as $$
declare
  upto bigint;
  moved bigint;
begin
  if not exists (select from event_log) then
    insert into event_log default values on conflict do nothing;
  end if;
  if not exists (select from event_news) then
    return 0;
  end if;
  select last into upto from event_log for update;
  with gone as (
    delete from event_news where id in (select id from event_news order by id limit 5000) returning *
  )
  insert into events (position, type, dataset_id, run_id, group_id, data, made_at)
    select upto + row_number() over (order by id), type, dataset_id, run_id, group_id, data, made_at from gone;
  get diagnostics moved = row_count;
  update event_log set last = upto + moved where moved > 0;
  return moved;
end $$;

-- Forgets the oldest events, a portion at a time: those of so many days ago, and those that are more than so many; returns how many.
create function forget_events(days integer, most bigint) returns bigint language plpgsql as $$
declare
  upto bigint;
  gone bigint;
begin
  perform from event_log for update;
  with old as (
    delete from events where position in (select position from events order by position limit 10000)
      and (made_at < now() - make_interval(days => days) or position <= (select last from event_log) - most)
    returning position
  ) select max(position), count(*) into upto, gone from old;
  update event_log set forgotten = greatest(forgotten, upto) where gone > 0;
  return gone;
end $$;

-- All triggers pass through here: a restore, which writes what has happened elsewhere, says nothing.
create function is_told() returns boolean language sql stable as $$
  select coalesce(current_setting('steppe.tells_nothing', true), '') <> 'on'
$$;

create function dataset_facts(id uuid, dg_id uuid, category_id uuid, file_type text, status text) returns jsonb language sql immutable as $$
  select jsonb_build_object('dataset_id', id, 'group_id', dg_id, 'category_id', category_id, 'file_type', file_type, 'status', status)
$$;

create function tell_new_datasets() returns trigger language plpgsql as $$
begin
  if not is_told() then
    return null;
  end if;
  insert into event_news (type, dataset_id, group_id, data)
    select 'dataset.created', id, dg_id, dataset_facts(id, dg_id, category_id, file_type, status) from new_rows;
  if found then
    perform pg_notify('event_news', '');
  end if;
  return null;
end $$;
create function tell_changed_datasets() returns trigger language plpgsql as $$
begin
  if not is_told() then
    return null;
  end if;
  insert into event_news (type, dataset_id, group_id, data)
    select type, id, dg_id, facts || case when type = 'dataset.progress' then jsonb_build_object('progress', progress) else '{}' end from (
      select n.id, n.dg_id, n.progress, dataset_facts(n.id, n.dg_id, n.category_id, n.file_type, n.status) as facts, case
        when n.status <> o.status and n.status in ('ready', 'failed') then 'dataset.' || n.status
        when n.status <> o.status then 'dataset.status'
        when n.updated_at <> o.updated_at then 'dataset.changed'
        -- Twenty steps at most, however often progress is written.
        when floor(n.progress * 20) is distinct from floor(o.progress * 20) and n.progress is not null then 'dataset.progress'
      end as type
      from new_rows n join old_rows o using (id)
    ) changes where type is not null;
  if found then
    perform pg_notify('event_news', '');
  end if;
  return null;
end $$;
create function tell_gone_datasets() returns trigger language plpgsql as $$
begin
  insert into event_news (type, dataset_id, group_id, data)
    select 'dataset.deleted', id, dg_id, dataset_facts(id, dg_id, category_id, file_type, status) from old_rows;
  if found then
    perform pg_notify('event_news', '');
  end if;
  return null;
end $$;
create trigger datasets_tell_new after insert on datasets referencing new table as new_rows
  for each statement execute function tell_new_datasets();
create trigger datasets_tell_changed after update on datasets referencing old table as old_rows new table as new_rows
  for each statement execute function tell_changed_datasets();
create trigger datasets_tell_gone after delete on datasets referencing old table as old_rows
  for each statement execute function tell_gone_datasets();

create function tell_runs() returns trigger language plpgsql as $$
begin
  if is_told() then
    insert into event_news (type, run_id, data) values (
      case when tg_op = 'INSERT' then 'run.created' when new.status in ('succeeded', 'failed') then 'run.' || new.status else 'run.status' end,
      new.id, jsonb_build_object('run_id', new.id, 'status', new.status));
    perform pg_notify('event_news', '');
  end if;
  return null;
end $$;
create trigger landscape_runs_tell_new after insert on landscape_runs for each row execute function tell_runs();
create trigger landscape_runs_tell_changed after update on landscape_runs for each row
  when (old.status <> new.status) execute function tell_runs();

-- One event for all nodes that a statement changes, since those of a pass go on together.
create function tell_run_nodes() returns trigger language plpgsql as $$
begin
  if not is_told() then
    return null;
  end if;
  insert into event_news (type, run_id, data)
    select 'run.progress', n.run_id, jsonb_build_object('run_id', n.run_id,
      'nodes', coalesce(jsonb_object_agg(n.node_code, n.status) filter (where n.status <> o.status), '{}'),
      'progress', max(n.progress) filter (where n.status = 'running'))
    from new_rows n join old_rows o using (id)
    where n.status <> o.status or (n.status = 'running' and floor(n.progress * 20) <> floor(o.progress * 20))
    group by n.run_id;
  if found then
    perform pg_notify('event_news', '');
  end if;
  return null;
end $$;
create trigger landscape_run_nodes_tell after update on landscape_run_nodes referencing old table as old_rows new table as new_rows
  for each statement execute function tell_run_nodes();

create function tell_run_records() returns trigger language plpgsql as $$
begin
  if is_told() then
    insert into event_news (type, run_id, data) values (
      'run.record', new.run_id, jsonb_build_object('run_id', new.run_id, 'state', new.state, 'revision', new.revision));
    perform pg_notify('event_news', '');
  end if;
  return null;
end $$;
create trigger landscape_run_records_tell after insert on landscape_run_records for each row execute function tell_run_records();
