import * as React from 'react';

// React's development build records the stack of each element, up to 10 000 within a second, for its warnings. That took
// a seventh of the time of all tests of screens. Here they count as used up.
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (typeof internals !== 'object' || internals === null) throw new Error('this React keeps no count of its stacks');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  configurable: true, // each file of a worker does it again
  get: () => 10_000,
  set: () => {}, // React counts on, and begins anew each second
});

// Looks are tested in browsers (e2e/). Here every query by role would match all rules of the component library against
// each element, which takes longer than the rest of the test.
if ('HTMLStyleElement' in globalThis) Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { get: () => null });
