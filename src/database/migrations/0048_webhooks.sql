-- Addresses to which events are sent (decision 76), and what became of the latest of them.
create table webhooks (
  id uuid primary key,
  url text not null,
  description text not null default '',
  -- Which events; null: all.
  types text[],
  dataset_id uuid,
  group_id uuid,
  run_id uuid,
  secret bytea not null,
  state text not null default 'on' check (state in ('on', 'off', 'disabled')),
  reason text check (reason in ('gone', 'failing')),
  -- Everything up to here was taken, was given up or is not wanted; in another epoch it means nothing.
  epoch text not null,
  position bigint not null,
  attempts integer not null default 0, -- of the message behind that place
  failing_since timestamptz,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint disabled_has_reason check ((state = 'disabled') = (reason is not null))
);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  message_id text not null,
  type text not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  status integer, -- of the last answer; null without one
  error text, -- why there was none
  created_at timestamptz(3) not null default now(),
  attempted_at timestamptz(3),
  constraint webhook_deliveries_once unique (webhook_id, message_id)
);
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, id desc);

-- The same as before, and a job for each webhook that has not looked at all events. One that ends while events come is enqueued by the next call, which comes within seconds.
create or replace function order_events() returns bigint language plpgsql as $$
declare
  upto bigint;
  moved bigint := 0;
  job uuid;
begin
  if not exists (select from event_log) then
    insert into event_log default values on conflict do nothing;
  end if;
  if exists (select from event_news) then
    select last into upto from event_log for update;
    with gone as (
      delete from event_news where id in (select id from event_news order by id limit 5000) returning *
    )
    insert into events (position, type, dataset_id, run_id, group_id, data, made_at)
      select upto + row_number() over (order by id), type, dataset_id, run_id, group_id, data, made_at from gone;
    get diagnostics moved = row_count;
    update event_log set last = upto + moved where moved > 0;
  end if;
  for job in
    insert into jobs (id, kind, ref_id)
      select gen_random_uuid(), 'deliver-webhook', w.id from webhooks w, event_log l
        where w.state = 'on' and (w.epoch <> l.epoch or w.position < l.last)
      on conflict (kind, ref_id) where state in ('queued', 'running') do nothing
      returning id
  loop
    perform pg_notify('job_queued', 'webhooks ' || job);
  end loop;
  return moved;
end $$;
