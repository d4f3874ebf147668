-- Who registered. Of an external id, such as a telephone number, only a keyed hash is kept, which
-- tells two apart, and a mask: so no view, report or log of this table can show one.
create table member (
  n bigint generated always as identity unique,
  id text collate "C" primary key,
  external_hash text not null,
  external_mask text not null,
  nickname text not null,
  invite_code text not null,
  -- Of what the registration said: a repeat says the same.
  digest text not null,
  registered_at timestamptz not null,
  constraint "an external id registers once" unique (external_hash),
  constraint "an invite code leads to one member" unique (invite_code),
  constraint "an invite code holds nothing that looks like another"
    check (invite_code ~ '^[2-9A-HJKMNP-TV-Z]{8}$')
);

-- The key of those hashes. Whoever has it and the table can try numbers out.
create table member_key (
  single boolean primary key default true,
  key text not null,
  constraint "there is one key" check (single)
);

-- Who was invited by whom: once for ever.
create table invite (
  newcomer text collate "C" primary key references member,
  inviter text collate "C" not null references member,
  invited_at timestamptz not null,
  constraint "nobody invites themselves" check (newcomer <> inviter)
);
create index invite_inviter on invite (inviter);

-- What a member did lately.
create index event_member on event (member, occurred_at);
