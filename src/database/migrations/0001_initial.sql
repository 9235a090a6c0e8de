-- Text that is ordered is ordered by code point, whatever the database's own collation.

-- The object ledger: every key of the object store, registered before its first byte and kept until its last is gone.
create table objects (
  key text primary key,
  state text not null check (state in ('writing', 'live', 'deleting')),
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  check ((state = 'writing') = (lease_until is not null))
);
create index objects_to_sweep on objects (lease_until) where state <> 'live';

create table categories (
  id uuid primary key,
  parent_id uuid references categories on delete restrict,
  code text collate "C" not null constraint categories_code_unique unique,
  name text collate "C" not null,
  description text not null default '',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (parent_id <> id)
);
create index categories_by_name on categories (name, id);
create index categories_by_parent on categories (parent_id, name, id);

create table dataset_groups (
  id uuid primary key,
  code text collate "C" not null constraint dataset_groups_code_unique unique,
  name text collate "C" not null,
  description text not null default '',
  sld_storage_key text references objects on delete restrict,
  sld_filename text,
  sld_content_type text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create unique index dataset_groups_by_sld on dataset_groups (sld_storage_key);

-- One extraction of observations. Its rows are written before anybody can see them; a dataset switches to it as a whole.
create table observation_sets (
  id bigint generated always as identity primary key,
  dataset_id uuid not null,
  job_id uuid not null,
  attempt integer not null,
  created_at timestamptz not null default now()
);
create index observation_sets_by_dataset on observation_sets (dataset_id);

create table datasets (
  id uuid primary key,
  category_id uuid not null references categories on delete restrict,
  dg_id uuid references dataset_groups on delete restrict,
  start_date date,
  end_date date,
  name text not null,
  description text,
  unit text,
  filename text not null,
  storage_key text not null references objects on delete restrict,
  cog_storage_key text references objects on delete restrict,
  geojson_storage_key text references objects on delete restrict,
  sld_storage_key text references objects on delete restrict,
  sld_filename text,
  sld_content_type text,
  file_type text not null check (file_type in ('vector_with_kato', 'vector', 'raster')),
  size_bytes bigint not null,
  content_type text not null,
  meta json, -- json, not jsonb: the client's digits, key order and keys stay as sent
  automated boolean not null default false,
  status text not null default 'pending' check (status in
    ('pending', 'processing', 'parsing', 'awaiting_mapping', 'extracting', 'ready', 'failed')),
  attribute_columns json,
  column_formats json, -- how the commas of each column read, by column name; decided when columns are detected
  kato_column text,
  year_columns json,
  mapping_version integer not null default 0,
  observation_set_id bigint references observation_sets on delete restrict,
  parse_error text,
  bbox double precision[] check (cardinality(bbox) = 4),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (end_date >= start_date)
);
-- One owner per object, and a quick answer when the ledger asks whether there is one.
create unique index datasets_by_original on datasets (storage_key);
create unique index datasets_by_cog on datasets (cog_storage_key);
create unique index datasets_by_geojson on datasets (geojson_storage_key);
create unique index datasets_by_sld on datasets (sld_storage_key);
create index datasets_newest on datasets (created_at desc, id);
create index datasets_by_category on datasets (category_id, created_at desc, id);
create index datasets_by_observation_set on datasets (observation_set_id);
create index datasets_freshest on datasets (dg_id, end_date desc nulls last, created_at desc, id);

create table observations (
  set_id bigint not null references observation_sets on delete cascade,
  id uuid not null,
  kato_code text collate "C" not null,
  start_date date not null,
  end_date date,
  value double precision,
  value_text text,
  mapping_order integer not null, -- place of the year column in the mapping, from 0
  row_number bigint not null, -- place of the row in the file, from 0
  primary key (set_id, id)
);
create index observations_in_order on observations (set_id, kato_code, start_date, end_date nulls first, id);

create table districts (
  kato_code text collate "C" primary key,
  level text not null check (level in ('region', 'district')),
  name text not null,
  name_kk text,
  name_en text,
  geometry text not null -- GeoJSON geometry, RFC 7946, ready to send
);

-- The job ledger. `attempt` is the fencing token: it only grows, and only its holder may publish.
create table jobs (
  id uuid primary key,
  kind text not null,
  ref_id uuid not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  attempt integer not null default 0,
  engine_deaths integer not null default 0,
  worker_deaths integer not null default 0,
  run_after timestamptz not null default now(),
  lease_until timestamptz,
  worker text,
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((state = 'running') = (lease_until is not null))
);
create unique index jobs_one_live on jobs (kind, ref_id) where state in ('queued', 'running');
create index jobs_queued on jobs (run_after) where state = 'queued';
create index jobs_leased on jobs (lease_until) where state = 'running';
create index jobs_by_ref on jobs (ref_id);

-- What was done once and must not be done again, such as seeding.
create table milestones (
  name text primary key,
  reached_at timestamptz not null default now()
);

-- Waiters on a status hear of every change when it commits, whoever made it.
create function announce_dataset_status() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('dataset_status', old.id || ' deleted');
  elsif tg_op = 'INSERT' or old.status <> new.status then
    perform pg_notify('dataset_status', new.id || ' ' || new.status);
  end if;
  return null;
end $$;
create trigger datasets_announce_status after insert or update of status or delete on datasets
  for each row execute function announce_dataset_status();
