-- What a live board decided on an event, if it did.
-- KEYS: meta, ids  ARGV: id, digest of the event, as its sender told it
-- Answers {'outcome, points that it gave or took, points then, microseconds of the event, first
--   outcome'}, with blanks between them, the outcome being 'duplicate' or 'conflict'; or nothing; or
--   'missing' in place of the outcome if there is no board that could tell, or it has
--   forgotten ids.
local first = redis.call('HGET', KEYS[2], ARGV[1])
if not first then
  local held = redis.call('HMGET', KEYS[1], 'state', 'forgotten')
  if (held[1] == 'open' or held[1] == 'sealed') and not held[2] then
    return {}
  end
  return {'missing 0 0 0'}
end
local outcome, change, total, micros, digest =
  string.match(first, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
local same = digest == '' or digest == ARGV[2]
return {table.concat({same and 'duplicate' or 'conflict', change, total, micros, outcome}, ' ')}
