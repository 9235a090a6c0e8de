-- What the pixels of a raster say: values and areas, counted once by a job count-pixels after the raster is ready. A raster without a row was
-- ready before this migration, or comes from a process of the release before; 'pending' has a job, 'failed' had one.
create table raster_statistics (
  dataset_id uuid primary key references datasets on delete cascade,
  state text not null check (state in ('pending', 'counted', 'failed')),
  counts json,
  constraint counted_has_counts check ((state = 'counted') = (counts is not null))
);
