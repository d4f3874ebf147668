-- Claims a request for whoever works on it, unless somebody did before.
-- KEYS: answer
-- ARGV: print of the request, milliseconds until a claim without an answer ends, owner of the claim
-- Answers {'claimed'}, {'other'} if the request was another one, {'running'}, or
--   {'kept', status, type, body}.
local kept = redis.call('HMGET', KEYS[1], 'print', 'status', 'type', 'body')
if not kept[1] then
  redis.call('HSET', KEYS[1], 'print', ARGV[1], 'owner', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return {'claimed'}
elseif kept[1] ~= ARGV[1] then
  return {'other'}
elseif not kept[2] then
  return {'running'}
end
return {'kept', kept[2], kept[3], kept[4]}
