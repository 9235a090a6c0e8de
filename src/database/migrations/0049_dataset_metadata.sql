-- What people add to the metadata record of a dataset (decision 78): who answers for it, its licence and what else no file says. The other
-- elements of the record are those of the dataset, and are not stored twice.
create table dataset_metadata (
  dataset_id uuid primary key references datasets on delete cascade,
  fields json not null,
  changed_at timestamptz(3) not null default now()
);
