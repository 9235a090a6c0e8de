-- The holes that inputs leave in the zoning, in square metres, by what they depend on: rasters and pins, and no parameter (decision 42).
create table landscape_gaps (
  key text primary key,
  figures text not null,
  created_at timestamptz not null default now()
);
