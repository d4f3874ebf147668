-- The sessions of people who have signed in, or are about to by a provider, on all servers.
create table session (
  -- SHA-256 of the id in the cookie, so that who reads this table cannot use a session.
  hash text primary key,
  created_at timestamptz not null,
  -- Of the last request, by the minute.
  seen_at timestamptz not null,
  -- A map of attributes, as Java serializes it.
  attributes bytea not null
);

create index on session (seen_at);

-- The sessions that a person began until then are void, also those of a provider's people.
create table ended_session (
  -- In lower case.
  person text primary key,
  until timestamptz not null
);
