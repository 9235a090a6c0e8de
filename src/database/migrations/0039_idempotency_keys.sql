-- Requests that were sent with an Idempotency-Key (decision 67): one row for each key of a sender and an operation. Without an answer the request is under way,
-- for as long as its lease is renewed; the answer is written in the transaction that makes what was asked for.
create table idempotency_keys (
  id bytea primary key, -- digest of sender, method, path and key
  claim uuid not null, -- of the request that is, or was, under way
  lease_until timestamptz,
  fingerprint bytea, -- digest of what was asked for
  status smallint,
  location text,
  body text,
  created_at timestamptz not null default now(),
  constraint answered_whole check ((status is null) = (fingerprint is null) and (status is null) = (body is null)),
  constraint under_way_has_lease check ((status is null) = (lease_until is not null))
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- How much of its file the engine has worked through, from 0 to 1, as the engine says; null where nothing is known.
alter table datasets add column progress real check (progress between 0 and 1);
