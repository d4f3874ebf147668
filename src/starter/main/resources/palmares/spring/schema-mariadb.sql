-- Events that committed transactions want to send, in the order of n.
create table if not exists palmares_outbox (
  n bigint auto_increment primary key,
  event mediumtext not null,
  stored_at bigint not null -- milliseconds since 1970
) engine = innodb character set utf8mb4;

-- Events that Palmares refused, until somebody retries or discards them.
create table if not exists palmares_refused (
  id varchar(128) character set utf8mb4 collate utf8mb4_bin primary key,
  event mediumtext not null,
  stored_at bigint not null,
  reason varchar(64) not null,
  detail text,
  refused_at bigint not null
) engine = innodb character set utf8mb4;

-- Facts whose listeners have run, with what they said became of the award. Ids are ASCII.
create table if not exists palmares_inbox (
  id varchar(1000) character set ascii collate ascii_bin primary key,
  confirmation text character set utf8mb4,
  handled_at bigint not null
) engine = innodb;
