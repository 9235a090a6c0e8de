-- What the values of a table are divided by, when a rate of them is asked for (decision 62). A deleted table leaves the choice of it behind,
-- without the table: then there are no rates, until another choice.
create table dataset_denominators (
  dataset_id uuid primary key references datasets on delete cascade,
  kind text not null check (kind in ('area', 'dataset')),
  denominator_id uuid references datasets on delete set null,
  per integer not null check (per > 0),
  changed_at timestamptz(3) not null default now(),
  constraint area_is_no_dataset check (kind = 'dataset' or denominator_id is null),
  constraint another_dataset check (denominator_id <> dataset_id)
);
create index dataset_denominators_by_denominator on dataset_denominators (denominator_id);
