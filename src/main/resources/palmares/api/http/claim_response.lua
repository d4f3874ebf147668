-- Claims a request, unless it was claimed or answered before.
-- KEYS: stored response
-- ARGV: digest of the request, milliseconds until a claim expires, owner of the claim
-- Returns {'claimed'}, {'mismatch'} if the key was used for another request, {'running'}, or
--   {'stored', status, content type, body}.
local stored = redis.call('HMGET', KEYS[1], 'print', 'status', 'type', 'body')
if not stored[1] then
  redis.call('HSET', KEYS[1], 'print', ARGV[1], 'owner', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return {'claimed'}
elseif stored[1] ~= ARGV[1] then
  return {'mismatch'}
elseif not stored[2] then
  return {'running'}
end
return {'stored', stored[2], stored[3], stored[4]}
