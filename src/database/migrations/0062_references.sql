-- Datasets whose file stays on another server (decision 102). The object `references/…` of such a dataset holds the address, what
-- the server said of the file, and the digests of its blocks.
create table dataset_references (
  dataset_id uuid primary key references datasets on delete cascade,
  address text not null,
  -- What the server said of the file when it was registered.
  etag text,
  last_modified text,
  -- What the last look at the source has found.
  state text not null default 'unchanged' check (state in ('unchanged', 'changed', 'unreachable')),
  -- A sentence, as JSON of its English text with code and facts; null while it is unchanged.
  reason text,
  -- The block whose digest is another one now, if that was found; a look at the file reads it again.
  changed_block integer,
  checked_at timestamptz not null default now(),
  -- True while a job copies the file to this service.
  is_copying boolean not null default false
);
create index dataset_references_by_check on dataset_references (checked_at);
