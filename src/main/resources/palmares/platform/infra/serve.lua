#!lua flags=allow-oom
-- Stores a heartbeat of a server, unless another process has stored one since the former was read.
-- KEYS: the last heartbeat of any server
-- ARGV: the former one, empty if there was none; the new one; for how many milliseconds
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return {}
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {1}
