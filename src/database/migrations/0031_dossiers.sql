-- What has computed an output: the versions of Steppe, GDAL and PROJ. Null in nodes of before it was kept.
alter table landscape_run_nodes add column made_with jsonb;

-- Detached signatures over the manifest of a run, each revision for good, with the bytes that were signed: a manifest that has changed since does not take a
-- signature its object.
create table landscape_run_signatures (
  run_id uuid not null references landscape_runs on delete restrict,
  revision integer not null check (revision > 0),
  cms bytea not null,
  manifest text not null,
  added_by text, -- as in landscape_run_records
  credentials text,
  added_at timestamptz(3) not null default clock_timestamp(),
  primary key (run_id, revision)
);

create function refuse_change_of_signatures() returns trigger language plpgsql as $$
begin
  raise exception 'rows of landscape_run_signatures stay as they are: another signature is another revision';
end $$;
create trigger landscape_run_signatures_stay before update or delete on landscape_run_signatures
  for each row execute function refuse_change_of_signatures();
