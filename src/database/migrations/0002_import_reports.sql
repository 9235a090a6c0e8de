-- What was found in the file of a dataset, and what was chosen from it.
create table import_reports (
  dataset_id uuid primary key references datasets on delete cascade,
  engine text not null,
  source json,
  rows json,
  raster json,
  timings json not null,
  warnings json not null,
  updated_at timestamptz not null default now()
);
