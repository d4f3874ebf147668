-- Events that committed transactions want to send, in the order of n.
create table if not exists palmares_outbox (
  n bigint generated always as identity primary key,
  event text not null,
  stored_at bigint not null -- milliseconds since 1970
);

-- Events that Palmares refused, until somebody retries or discards them.
create table if not exists palmares_refused (
  id varchar(128) primary key,
  event text not null,
  stored_at bigint not null,
  reason varchar(64) not null,
  detail text,
  refused_at bigint not null
);

-- Facts whose listeners have run, with what they said became of the award.
create table if not exists palmares_inbox (
  id varchar(1000) primary key,
  confirmation text,
  handled_at bigint not null
);
