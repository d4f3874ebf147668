#!lua flags=allow-oom
-- Keeps all events of a journal for a time. PostgreSQL went back, gets them again, and may go back
-- to a state before that.
-- KEYS: meta  ARGV: microseconds
if redis.call('EXISTS', KEYS[1]) == 1 then
  local time = redis.call('TIME')
  redis.call('HSET', KEYS[1], 'untrimmed',
    string.format('%.0f', time[1] * 1000000 + time[2] + tonumber(ARGV[1])))
end
return {}
