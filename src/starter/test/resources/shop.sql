create table if not exists shop_order (
  id varchar(64) primary key,
  member varchar(64) not null,
  coins int not null
);

create table if not exists shop_wallet (
  member varchar(64) primary key,
  balance bigint not null
);

-- Without a key on purpose: a credit that came twice must be seen, not refused.
create table if not exists shop_credit (
  award varchar(600) not null,
  board varchar(64) not null,
  period varchar(64) not null,
  rule varchar(64) not null,
  member varchar(64) not null,
  amount bigint not null
);

create table if not exists shop_closed_account (
  member varchar(64) primary key
);
