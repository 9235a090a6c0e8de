-- The share of a running node's pixels that are computed.
alter table landscape_run_nodes add column progress double precision not null default 0 check (progress between 0 and 1);
