import { expect, test } from 'vitest';
import { exampleCall } from './example-call.ts';

test.each([
  [['records:write', 'devices:read'] as const, "curl -H 'Authorization: Bearer t' https://tt/api/user/routers/", false],
  [['records:read'] as const, "curl -H 'Authorization: Bearer t' https://tt/api/user/verifications/", false],
  [
    ['mappings:write'] as const,
    "curl -X PATCH -H 'Authorization: Bearer t' -H 'Content-Type: application/json' -d '{\"remark\":\"NAS\"}' https://tt/api/user/records/1/",
    true,
  ],
  [
    ['access:write'] as const,
    "curl -X POST -H 'Authorization: Bearer t' https://tt/api/user/records/1/verified_ip/",
    true,
  ],
])('a token for %j is shown with a call that it may make', (scopes, command, isAboutOne) => {
  expect(exampleCall('https://tt', 't', scopes)).toEqual({ command, isAboutOne });
});
