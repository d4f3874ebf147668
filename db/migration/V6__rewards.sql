-- What the reward rules give a member for a closed period.
create table award (
  period_id bigint not null references period,
  revision int not null,
  member text collate "C" not null,
  rule text not null,
  credits bigint not null,
  primary key (period_id, revision, member, rule),
  constraint "an award is worth something" check (credits > 0),
  foreign key (period_id, revision, member) references standing (period_id, revision, member)
);
