-- Areas by unit, counted once for what they depend on: the pixels of rasters of one grid, the units, and the method (decision 45). 'pending'
-- has a job count-areas; 'failed' had one.
create table area_counts (
  id uuid primary key,
  key text not null unique,
  state text not null check (state in ('pending', 'counted', 'failed')),
  -- The keys of the COGs, and the polygons of a client's own until they are counted; null for the administrative units.
  cogs text[] not null,
  units text,
  -- Of the administrative units that are wanted; null for a client's own polygons.
  districts_version bigint,
  max_classes integer not null,
  figures text,
  -- The sentence that says why, and whether the rasters or the units are to blame: then another try would end alike.
  failure text,
  is_final boolean not null default false,
  changed_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  constraint has_units check ((units is null) or (districts_version is null)),
  constraint counted_has_figures check ((state = 'counted') = (figures is not null))
);
create index area_counts_used on area_counts (used_at);

-- Those who wait for a result hear when its job has ended, whichever process ended it.
create function announce_job_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('job_ends', new.ref_id::text);
  return null;
end $$;
create trigger jobs_announce_end after update of state on jobs
  for each row when (new.state in ('done', 'failed', 'cancelled'))
  execute function announce_job_end();
