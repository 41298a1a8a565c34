// React records the stack of each element. Vitest's hundred frames took a tenth of the time of all tests of screens.
Error.stackTraceLimit = 10;

// Looks are tested in browsers (e2e/). Here every query by role would match all rules of the component library against
// each element, which takes longer than the rest of the test.
if ('HTMLStyleElement' in globalThis) Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { get: () => null });
