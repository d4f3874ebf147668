-- Who may write events. Only a hash of each key is kept.
create table api_key (
  id text primary key,
  name text not null,
  hash text not null,
  -- The boards that it may write; empty for all of them.
  boards text[] not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint "a key's hash is SHA-256 in hexadecimal" check (hash ~ '^[0-9a-f]{64}$')
);
