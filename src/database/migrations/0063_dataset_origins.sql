-- What people say about the origin of the values of a dataset (decision 103). A row outlives its dataset: what was computed from invented values
-- remains computed from invented values.
create table dataset_origins (
  dataset_id uuid primary key,
  origin text not null check (origin in ('measured', 'derived', 'invented')),
  changed_at timestamptz(3) not null default now()
);
