-- Keeps the answer to a request.
-- KEYS: answer  ARGV: print of the request, status, type, body, milliseconds that it is kept
redis.call('HSET', KEYS[1], 'print', ARGV[1], 'status', ARGV[2], 'type', ARGV[3], 'body', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return {}
