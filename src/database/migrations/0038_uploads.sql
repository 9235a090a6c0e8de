-- Resumable uploads (decision 66): what has come of a file that is sent in pieces, by whichever api takes the next one.
create table uploads (
  id uuid primary key,
  metadata text not null, -- the header Upload-Metadata, as the client has sent it
  length bigint not null check (length > 0),
  received bigint not null default 0 check (received between 0 and length),
  writer uuid, -- who may add a piece or finish; each new request takes it over, so that a dead one is in the way of none
  finishing_until timestamptz, -- until then the writer makes the dataset
  dataset_id uuid, -- made of it; no reference, because the dataset may be deleted before the row is
  ended_at timestamptz, -- when the dataset was made, or the bytes were given up
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(), -- when the last byte came
  expires_at timestamptz not null,
  constraint dataset_ends check (dataset_id is null or ended_at is not null)
);
create index uploads_unfinished on uploads (expires_at) where ended_at is null;

-- Its bytes, without a gap from the first one on. A row goes before its object is retired.
create table upload_pieces (
  upload_id uuid not null references uploads on delete restrict,
  start bigint not null,
  size_bytes bigint not null check (size_bytes > 0),
  object_key text not null unique references objects on delete restrict,
  primary key (upload_id, start)
);
