import { ApiError, type Failure } from '../api/client/api-error.ts';
import type { Call } from '../api/client/call-types.ts';

/** The calls with which both the page that starts the console and the console itself begin. */
type StartCall = 'GET /api/announcement/announcements/' | 'GET /api/profile/';

/** How they have just failed. The page hands this to the console, which is built apart and has a class of errors of its own. */
export type StartFailures = Partial<Record<StartCall, Failure>>;

/**
 * Calls like `call`, but a call that has just failed fails at once, one time: its time-out counts once (specification §9),
 * not once for the page and once for the console.
 */
export function afterFailures(call: Call, failures: StartFailures): Call {
  const left = new Map<string, Failure>(Object.entries(failures));
  const calling: Call = async (key, ...rest) => {
    const failure = left.get(key);
    left.delete(key);
    if (failure !== undefined) throw new ApiError(failure);
    return await call(key, ...rest);
  };
  return calling;
}
