#!lua flags=allow-oom
-- Replaces the rules of a live board whose period has another end now. Does nothing if there is no
-- such board, or it has them. If an attempt to close the period sealed the board, it is open again.
-- KEYS: meta  ARGV: rules (see create_board.lua)
local held = redis.call('HMGET', KEYS[1], 'state', 'rules')
if held[1] and held[2] ~= ARGV[1] then
  redis.call('HSET', KEYS[1], 'rules', ARGV[1])
  if held[1] == 'sealed' then
    redis.call('HSET', KEYS[1], 'state', 'open')
  end
end
return {}
