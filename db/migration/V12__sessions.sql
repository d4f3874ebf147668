-- Spring Session 4.1.0's own script for PostgreSQL, with texts of any length: an id is the SHA-256 of
-- the cookie's value, so that who reads this table cannot use a session. Times are milliseconds since
-- 1970.
create table spring_session (
  primary_id text not null,
  session_id text not null,
  creation_time bigint not null,
  last_access_time bigint not null,
  max_inactive_interval int not null,
  expiry_time bigint not null,
  principal_name text,
  constraint spring_session_pk primary key (primary_id)
);

create unique index spring_session_ix1 on spring_session (session_id);
create index spring_session_ix2 on spring_session (expiry_time);
create index spring_session_ix3 on spring_session (principal_name);

create table spring_session_attributes (
  session_primary_id text not null,
  attribute_name text not null,
  attribute_bytes bytea not null,
  constraint spring_session_attributes_pk primary key (session_primary_id, attribute_name),
  constraint spring_session_attributes_fk foreign key (session_primary_id)
    references spring_session (primary_id) on delete cascade
);

-- The sessions that a person began until then are void, also those of a provider's people.
create table ended_session (
  -- In lower case.
  person text primary key,
  until timestamptz not null
);
