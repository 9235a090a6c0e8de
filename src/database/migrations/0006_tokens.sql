-- Tokens of our own (AUTH_MODE=token). Of a token only the SHA-256 is kept: it is shown once, when it is made.
create table tokens (
  id text collate "C" primary key, -- the part of the token that names it
  name text not null, -- what it is for
  sha256 bytea not null check (length(sha256) = 32), -- of the whole token
  scopes text[] not null check (scopes <> '{}'),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3), -- null: never
  revoked_at timestamptz(3),
  last_used_at timestamptz(3) -- to the minute
);
