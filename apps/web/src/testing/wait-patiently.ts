import { configure, getConfig } from '@testing-library/react';

const { asyncWrapper } = getConfig();
// Some tests replace it.
const { setImmediate } = globalThis;

/** What a query waits for may be on the screen before the effects of what drew it have run. */
function withEffects(query: () => Promise<unknown>): Promise<unknown> {
  return asyncWrapper(async () => {
    const found = await query();
    await new Promise(setImmediate);
    return found;
  });
}

// Queries wait as long as a test may take, because a busy machine may render slowly.
configure({ asyncUtilTimeout: 15_000 });
// The files of a worker share the library's settings.
if (asyncWrapper.name !== withEffects.name) configure({ asyncWrapper: withEffects });
