-- The features of a vector file, each as the file has it: a FlatGeobuf, the file of the kind `fgb` of the dataset (decision 70). A vector without a
-- row was ready before this migration, or comes from a process of the release before, or from a backup; 'pending' has a job make-features, 'none' is
-- a file with more than a FlatGeobuf can hold, and 'failed' had a job.
create table vector_features (
  dataset_id uuid primary key references datasets on delete cascade,
  state text not null check (state in ('pending', 'made', 'none', 'failed')),
  features bigint,
  box double precision[], -- west, south, east, north in degrees; null when no feature has a place
  constraint made_has_features check ((state = 'made') = (features is not null)),
  constraint box_has_four check (box is null or (state = 'made' and array_length(box, 1) = 4))
);
