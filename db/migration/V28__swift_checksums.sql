-- What a manifest's checksums add up, and the times in its lines: the same numbers as ever, by the
-- shortest way that the server knows. Not immutable, so that they are written out where they are
-- called.
do $$
begin
  if current_setting('server_version_num')::int >= 180000 then
    create function first_of_sha256(line text) returns bigint
      language sql stable parallel safe
      as 'select substring(sha256(convert_to(line, ''UTF8'')) for 8)::bigint';
  else
    create function first_of_sha256(line text) returns bigint
      language sql stable parallel safe
      as 'select (''x'' || encode(substring(sha256(convert_to(line, ''UTF8'')) for 8), ''hex''))
        ::bit(64)::bigint';
  end if;
end $$;

-- Microseconds since 1970. Until 2100 they are right in binary floating point, which rounds by less
-- than half a microsecond there.
create function micros(at timestamptz) returns bigint
  language sql stable parallel safe
  as 'select case
    when at >= ''1970-01-01Z'' and at < ''2100-01-01Z''
      then (date_part(''epoch'', at) * 1000000)::bigint
    else (extract(epoch from at) * 1000000)::bigint
  end';
