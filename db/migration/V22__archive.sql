-- Periods whose journal has been moved into files.

alter table period
  add column archived_at timestamptz,
  -- SHA-256 of the archive's list of checksums: which files stand for what was dropped.
  add column archive_hash text,
  add constraint "only an expired period is archived" check (
    archived_at is null or state = 'expired'),
  add constraint "an archive is known by its hash" check (
    (archived_at is null) = (archive_hash is null));

-- An amendment is computed from the journal as well.
create function refuse_archived() returns trigger language plpgsql as $$
begin
  if exists (select from period where id = new.period_id and archived_at is not null) then
    raise exception
      'the journal of period % is archived in files: it cannot be amended any more',
      new.period_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger "an archived period is never amended" before insert on revision
  for each row execute function refuse_archived();
alter table revision enable always trigger "an archived period is never amended";
