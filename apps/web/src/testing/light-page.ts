// React notes the stack of each element it makes. Vitest's hundred frames took a tenth of the time of all tests of screens.
Error.stackTraceLimit = 10;

// What a screen looks like is for browsers to show (e2e/). Here the rules of the whole component library would be matched
// against each element whenever a test asks for a role, which takes longer than everything else that the test does.
if ('HTMLStyleElement' in globalThis) Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { get: () => null });
