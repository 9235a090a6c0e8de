-- Earlier secrets of webhooks (decision 76): until their end, messages are signed with them as well, so that receivers can change theirs in peace.
create table webhook_secrets (
  webhook_id uuid not null references webhooks on delete cascade,
  secret bytea not null,
  until timestamptz(3) not null,
  primary key (webhook_id, secret)
);
